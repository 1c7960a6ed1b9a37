import { describe, expect, it } from "vitest";
import type { HostCommandDisk } from "../embedded/hostCommand";
import { memoryDisk } from "../git/memoryDisk.suite";
import { nodeCommand } from "./nodeCommand";

interface Asked {
  readonly files?: Readonly<Record<string, string>>;
  readonly disk?: HostCommandDisk;
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

async function node(
  args: readonly string[],
  { files = {}, disk = memoryDisk(files), stdin = "", timeoutMs = 30_000 }: Asked = {},
) {
  return nodeCommand.run(args, {
    cwd: "/home/project",
    env: { HOME: "/home/project", NAME: "Ada" },
    stdin: new TextEncoder().encode(stdin),
    disk,
    hasNetwork: false,
    deadlineMs: Date.now() + timeoutMs,
    signal: undefined,
  });
}

const told = (stdout: string) => ({ stdout, stderr: "", exitCode: 0 });

describe("node lite", () => {
  it("says what it is", async () => {
    expect(await node(["-v"])).toEqual(
      told("v0.0.0-quickjs (QuickJS, not Node.js: the WebContainer host runs the real one)\n"),
    );
  });

  it("runs a script with arguments, environment and standard input", async () => {
    const files = {
      "/home/project/a.js":
        'console.log(process.argv.slice(2), process.env.NAME, require("fs").readFileSync(0, "utf8"), process.cwd());\n',
    };
    expect(await node(["a.js", "one", "2"], { files, stdin: "in" })).toEqual(
      told("[ 'one', '2' ] Ada in /home/project\n"),
    );
  });

  it("evaluates and prints", async () => {
    expect(await node(["-e", 'console.log("hi")'])).toEqual(told("hi\n"));
    expect(await node(["-p", "[1, { a: 'b' }, new Map([[1, new Set([2])]])]"])).toEqual(
      told("[ 1, { a: 'b' }, Map(1) { 1 => Set(1) { 2 } } ]\n"),
    );
    expect(await node(["-p", "require('path').join('a', '..', 'b')"])).toEqual(told("b\n"));
    expect(await node([], { stdin: "console.log(1 + 1)" })).toEqual(told("2\n"));
  });

  it("requires files, directories and JSON, each once", async () => {
    const files = {
      "/home/project/main.js":
        'const { count } = require("./lib");\nconsole.log(count(), require("./lib/index.js").count(), require("./data").name, __dirname);\n',
      "/home/project/lib/index.js": "let n = 0;\nexports.count = () => ++n;\n",
      "/home/project/data.json": '{ "name": "data" }',
    };
    expect(await node(["main"], { files })).toEqual(told("1 2 data /home/project\n"));
  });

  it("imports ES modules, and what is none, with await at the top", async () => {
    const files = {
      "/home/project/main.mjs":
        'import fs, { existsSync } from "node:fs";\nimport value, { twice } from "./value.mjs";\nimport old from "./old.cjs";\nconst late = await import("./value.mjs");\nconsole.log(twice(value), old.a, existsSync("main.mjs"), typeof fs.readFileSync, late.default);\n',
      "/home/project/value.mjs": "export default 21;\nexport const twice = (n) => n * 2;\n",
      "/home/project/old.cjs": "module.exports = { a: 1 };\n",
    };
    expect(await node(["main.mjs"], { files })).toEqual(told("42 1 true function 21\n"));
  });

  it("runs promises and timers to the end, in order", async () => {
    const source =
      'setTimeout(() => console.log("late"), 450);\nsetImmediate(() => console.log("soon"));\nPromise.resolve().then(() => console.log("promise"));\nlet n = 0;\nconst t = setInterval(() => { if (++n === 2) clearInterval(t); console.log("tick", n); }, 300);\nconsole.log("first");';
    expect(await node(["-e", source])).toEqual(told("first\npromise\nsoon\ntick 1\nlate\ntick 2\n"));
  });

  it("writes to the disk what a script writes", async () => {
    const disk = memoryDisk({ "/home/project/old.txt": "old", "/home/project/dir/a.txt": "a" });
    const source =
      'const fs = require("fs");\nfs.mkdirSync("out/deep", { recursive: true });\nfs.writeFileSync("out/deep/b.bin", Buffer.from([0, 255, 10]));\nfs.appendFileSync("old.txt", " and new");\nfs.renameSync("dir/a.txt", "dir/b.txt");\nfs.writeFileSync("/tmp/t", "t");\nconsole.log(fs.readdirSync("."), fs.statSync("old.txt").size, fs.existsSync("dir/a.txt"));';
    expect(await node(["-e", source], { disk })).toEqual(told("[ 'dir', 'old.txt', 'out' ] 11 false\n"));
    expect(await disk.readFile("/home/project/out/deep/b.bin")).toEqual(new Uint8Array([0, 255, 10]));
    expect(new TextDecoder().decode(await disk.readFile("/home/project/old.txt"))).toBe("old and new");
    expect(await disk.exists("/home/project/dir/a.txt")).toBe(false);
    expect(new TextDecoder().decode(await disk.readFile("/tmp/t"))).toBe("t");
  });

  it("ends with 1 and the stack of what nobody caught", async () => {
    const files = { "/home/project/bad.js": "function inner() {\n  throw new TypeError('no');\n}\ninner();\n" };
    const { stdout, stderr, exitCode } = await node(["bad.js"], { files });
    expect({
      stdout,
      exitCode,
      lines: stderr
        .replace(/:\d+\)/g, ")")
        .split("\n")
        .slice(0, 3),
    }).toEqual({
      stdout: "",
      exitCode: 1,
      lines: ["TypeError: no", "    at inner (/home/project/bad.js:2)", "    at <anonymous> (/home/project/bad.js:4)"],
    });
  });

  it.for([
    "async function main() {\n  await null;\n  throw new Error('late');\n}\nmain();\n",
    "(async () => {\n  await null;\n  throw new Error('late');\n})();\n",
  ])("ends with 1 when what the script hangs on fails: %j", async (source) => {
    const { stderr, exitCode } = await node(["-e", source]);
    expect([stderr.split("\n")[0], exitCode]).toEqual(["Error: late", 1]);
  });

  it("exits when told to, in the middle of anything", async () => {
    expect(await node(["-e", "try { process.exit(3); } finally { console.log('never'); }"])).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 3,
    });
    expect(await node(["-e", "process.exitCode = 4; console.log('on')"])).toEqual({
      stdout: "on\n",
      stderr: "",
      exitCode: 4,
    });
  });

  it("ends a loop without end at the deadline, with what it said", async () => {
    expect(await node(["-e", "console.log('begun'); while (true);"], { timeoutMs: 600 })).toEqual({
      stdout: "begun\n",
      stderr: "node: ended at its deadline\n",
      exitCode: 124,
    });
  });

  it("ends a script that takes too much memory", async () => {
    const { exitCode, stderr } = await node(["-e", "const all = []; for (;;) all.push(new Uint8Array(16e6));"]);
    expect([exitCode, stderr.split("\n")[0]]).toEqual([1, "InternalError: out of memory"]);
  });

  it("names a file that is not there as Node does", async () => {
    const source =
      "try { require('fs').readFileSync('none.txt'); } catch (error) { console.log(error.code, error.message); }";
    expect(await node(["-e", source])).toEqual(told("ENOENT ENOENT: no such file or directory, open 'none.txt'\n"));
  });

  it("says of a package that this is not Node", async () => {
    const { stderr, exitCode } = await node(["-e", "require('express')"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Cannot find module 'express'");
    expect(stderr).toContain(
      "This is QuickJS, not Node: it has few of Node's modules and cannot install packages. The WebContainer host runs the real Node.",
    );
  });
});
