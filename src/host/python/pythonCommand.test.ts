import { describe, expect, it } from "vitest";
import type { HostCommandDisk } from "../embedded/hostCommand";
import { memoryDisk } from "../git/memoryDisk.suite";
import { pythonCommand } from "./pythonCommand";

interface Asked {
  readonly disk?: HostCommandDisk;
  readonly stdin?: string;
  readonly cwd?: string;
}

async function python(args: readonly string[], { disk = memoryDisk(), stdin = "", cwd = "/home/project" }: Asked = {}) {
  const { stdout, stderr, exitCode } = await pythonCommand.run(args, {
    cwd,
    env: { HOME: "/home/project", NAME: "Ada" },
    stdin: new TextEncoder().encode(stdin),
    disk,
    hasNetwork: false,
    deadlineMs: Date.now() + 60_000,
    signal: undefined,
  });
  return { stdout: typeof stdout === "string" ? stdout : new TextDecoder().decode(stdout), stderr, exitCode };
}

const told = (stdout: string) => ({ stdout, stderr: "", exitCode: 0 });

describe("python3", () => {
  it("runs a command, with the version it tells", async () => {
    expect(await python(["-V"])).toEqual(told("Python 3.14.2\n"));
    expect(await python(["-c", "import sys; print('Python ' + sys.version.split()[0], sys.argv)", "a"])).toEqual(
      told("Python 3.14.2 ['-c', 'a']\n"),
    );
  });

  it("runs a file with arguments, environment, standard input and modules beside it", async () => {
    const disk = memoryDisk({
      "/home/project/pkg/main.py":
        "import os, sys\nfrom beside import twice\nprint(sys.argv, os.environ['NAME'], os.getcwd(), input(), twice(4), __name__, __file__)\n",
      "/home/project/pkg/beside.py": "def twice(n):\n    return n * 2\n",
    });
    expect(await python(["pkg/main.py", "x"], { disk, stdin: "line\n" })).toEqual(
      told("['pkg/main.py', 'x'] Ada /home/project line 8 __main__ /home/project/pkg/main.py\n"),
    );
    await disk.writeFile("/home/project/pkg/beside.py", "def twice(n):\n    return n * 3\n");
    expect(await python(["pkg/main.py"], { disk, stdin: "line\n" })).toEqual(
      told("['pkg/main.py'] Ada /home/project line 12 __main__ /home/project/pkg/main.py\n"),
    );
  });

  it("runs a script from standard input, and modules of the standard library", async () => {
    expect(await python([], { stdin: "print(1 + 1)" })).toEqual(told("2\n"));
    expect(await python(["-m", "json.tool", "--compact"], { stdin: '{"a": [1, 2]}' })).toEqual(told('{"a":[1,2]}\n'));
  });

  it("writes to the disk what a script writes and removes", async () => {
    const disk = memoryDisk({
      "/home/project/gone.txt": "x",
      "/home/project/old.txt": "old",
      "/home/project/dir/in.txt": "i",
    });
    const source =
      "import os, shutil\nos.makedirs('out/deep')\nopen('out/deep/b.bin', 'wb').write(bytes([0, 255]))\nos.remove('gone.txt')\nshutil.rmtree('dir')\nopen('old.txt', 'a').write(' new')\nopen('/tmp/t', 'w').write('t')\nprint(sorted(os.listdir('.')))";
    expect(await python(["-c", source], { disk })).toEqual(told("['old.txt', 'out']\n"));
    expect(await disk.readFile("/home/project/out/deep/b.bin")).toEqual(new Uint8Array([0, 255]));
    expect(new TextDecoder().decode(await disk.readFile("/home/project/old.txt"))).toBe("old new");
    expect([await disk.exists("/home/project/gone.txt"), await disk.exists("/home/project/dir")]).toEqual([
      false,
      false,
    ]);
    expect(new TextDecoder().decode(await disk.readFile("/tmp/t"))).toBe("t");
  });

  it("leaves nothing of a run to the next, the files of another disk least of all", async () => {
    await python([
      "-c",
      "import os, sys; os.environ['LEFT'] = '1'; sys.path.append('/left'); value = 1; open('left.txt', 'w').write('x')",
    ]);
    const source =
      "import os, sys; print('LEFT' in os.environ, '/left' in sys.path, 'value' in globals(), os.listdir('.'))";
    expect(await python(["-c", source])).toEqual(told("False False False []\n"));
  });

  it("ends with 1 and the traceback of what nobody caught", async () => {
    const disk = memoryDisk({ "/home/project/bad.py": "def inner():\n    raise ValueError('no')\n\ninner()\n" });
    expect(await python(["bad.py"], { disk })).toEqual({
      stdout: "",
      stderr:
        'Traceback (most recent call last):\n  File "/home/project/bad.py", line 4, in <module>\n    inner()\n    ~~~~~^^\n  File "/home/project/bad.py", line 2, in inner\n    raise ValueError(\'no\')\nValueError: no\n',
      exitCode: 1,
    });
    expect((await python(["-c", "1 +"])).exitCode).toBe(1);
  });

  it("exits as the script says", async () => {
    expect(await python(["-c", "import sys; print('on'); sys.exit(3)"])).toEqual({
      stdout: "on\n",
      stderr: "",
      exitCode: 3,
    });
    expect(await python(["-c", "raise SystemExit('words')"])).toEqual({ stdout: "", stderr: "words\n", exitCode: 1 });
  });

  it("runs asyncio to its end", async () => {
    const source =
      "import asyncio\nasync def one(n):\n    await asyncio.sleep(0.01 * n)\n    print(n)\n    return n\nasync def main():\n    return await asyncio.gather(one(2), one(1))\nprint(asyncio.run(main()))";
    expect(await python(["-c", source])).toEqual(told("1\n2\n[2, 1]\n"));
  });

  it("has no way to the page", async () => {
    const { exitCode, stderr } = await python(["-c", "import js; js.fetch('https://example.com')"]);
    expect([exitCode, stderr.trimEnd().split("\n").at(-1)]).toEqual([1, "AttributeError: fetch"]);
  });

  it("says of packages that there are none", async () => {
    const words = "python3 here is Pyodide with its standard library: packages cannot be installed";
    expect(await python(["-m", "pip", "install", "x"])).toEqual({
      stdout: "",
      stderr: `${words}, neither by pip nor by micropip. Write it without, or run it elsewhere.\n`,
      exitCode: 1,
    });
    const { stderr, exitCode } = await python(["-c", "import numpy"]);
    expect([exitCode, stderr.trimEnd().split("\n").slice(-2)]).toEqual([
      1,
      ["ModuleNotFoundError: No module named 'numpy'", `${words}.`],
    ]);
  });

  it("says when a file is not there", async () => {
    expect(await python(["none.py"])).toEqual({
      stdout: "",
      stderr: "python3: can't open file '/home/project/none.py': [Errno 2] No such file or directory\n",
      exitCode: 2,
    });
  });
});
