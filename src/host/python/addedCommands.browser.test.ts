import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteProjectDatabase, idbFs, openProjectDatabase } from "../../fs";
import { embeddedHost } from "../embedded/embeddedHost";
import type { Host } from "../host";

const name = `added-commands-${crypto.randomUUID()}`;
let host: Host;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await openProjectDatabase(name);
  const disk = idbFs({ database, disk: "host" });
  host = embeddedHost({ database, diskName: "host", disk });
  close = async () => {
    await host.dispose();
    await disk.close();
    database.close();
  };
});

afterAll(async () => {
  await close();
  await deleteProjectDatabase(name);
});

async function told(command: string, timeoutMs = 60_000) {
  const { stdout, stderr, exitCode } = await host.shell(command, { timeoutMs });
  return { stdout, stderr, exitCode };
}

describe("git, node and python3 in the shell's worker", () => {
  it("keep versions", async () => {
    const identity = "git config user.name Ada && git config user.email ada@example.com";
    const made = await told(
      `git init && ${identity} && echo one > a.txt && git add . && git commit -q -m First && echo two >> a.txt && git diff && git status -s`,
    );
    expect(made).toEqual({
      stdout:
        "Initialized empty Git repository in /home/project/.git/\ndiff --git a/a.txt b/a.txt\nindex 5626abf..814f4a4 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+two\n M a.txt\n",
      stderr: "",
      exitCode: 0,
    });
  });

  it("run scripts in QuickJS on the same disk", async () => {
    await host.disk.write(
      "/script.js",
      "require('fs').writeFileSync('from-node.txt', 'ü'); console.log(process.argv[2]);",
    );
    expect(await told("node script.js word && cat from-node.txt")).toEqual({
      stdout: "word\nü",
      stderr: "",
      exitCode: 0,
    });
    expect(await host.disk.read("/from-node.txt")).toBe("ü");
  });

  it("run Python from the page's own origin on the same disk", async () => {
    const command =
      'echo \'open("from-python.txt", "w").write(open("from-node.txt").read() * 2); print(input())\' > s.py && echo hi | python3 s.py && python -V';
    expect(await told(command)).toEqual({ stdout: "hi\nPython 3.14.2\n", stderr: "", exitCode: 0 });
    expect(await host.disk.read("/from-python.txt")).toBe("üü");
  });

  it("end with the worker when they do not end by themselves, and work again after it", async () => {
    expect((await told("python3 -c 'while True: pass'", 1_000)).exitCode).toBe(124);
    expect((await told("node -e 'while (true);'", 1_000)).exitCode).toBe(124);
    expect(await told("python3 -c 'print(1)'")).toEqual({ stdout: "1\n", stderr: "", exitCode: 0 });
  });
});
