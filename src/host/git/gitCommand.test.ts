import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HostCommandContext, HostCommandDisk } from "../embedded/hostCommand";
import { gitCommand } from "./gitCommand";
import { memoryDisk } from "./memoryDisk.suite";

const HOME = "/home/project";
const ENV = {
  HOME: "/tmp",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

function contextOf(
  disk: HostCommandDisk,
  second: number,
  cwd = HOME,
  env: Readonly<Record<string, string>> = ENV,
): HostCommandContext {
  const date = `${1_700_000_000 + second * 60} +0100`;
  return {
    cwd,
    env: { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    stdin: new Uint8Array(),
    disk,
    hasNetwork: false,
    deadlineMs: Date.now() + 60_000,
    signal: undefined,
  };
}

/** One step of a script: a file is written or removed, or git is called. */
type Step = readonly ["write", string, string] | readonly ["remove", string] | readonly ["git", ...string[]];

interface Told {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number;
}

async function playedHere(steps: readonly Step[], disk = memoryDisk()): Promise<Told[]> {
  const told: Told[] = [];
  for (const [second, step] of steps.entries()) {
    const [kind, first = "", second_ = ""] = step;
    if (kind === "write") {
      await disk.mkdir(dirname(join(HOME, first)), { recursive: true });
      await disk.writeFile(join(HOME, first), second_);
    } else if (kind === "remove") await disk.rm(join(HOME, first));
    else {
      const { stdout, stderr, exitCode } = await gitCommand.run(step.slice(1), contextOf(disk, second));
      const text = typeof stdout === "string" ? stdout : new TextDecoder().decode(stdout);
      told.push({ command: step.slice(1).join(" "), output: text + stderr, exitCode });
    }
  }
  return told;
}

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.log("Skipped: the comparison with real git, which is not on this machine.");

function playedThere(steps: readonly Step[]): Told[] {
  const root = mkdtempSync(join(tmpdir(), "rootscope-git-"));
  try {
    const told: Told[] = [];
    for (const [second, step] of steps.entries()) {
      const [kind, first = "", second_ = ""] = step;
      if (kind === "write") {
        mkdirSync(dirname(join(root, first)), { recursive: true });
        writeFileSync(join(root, first), second_);
      } else if (kind === "remove") rmSync(join(root, first));
      else {
        const date = `${1_700_000_000 + second * 60} +0100`;
        const { PATH = "" } = process.env;
        const run = spawnSync("git", step.slice(1), {
          cwd: root,
          encoding: "utf8",
          env: {
            PATH,
            ...ENV,
            HOME: root,
            GIT_CONFIG_NOSYSTEM: "1",
            LC_ALL: "C",
            GIT_AUTHOR_DATE: date,
            GIT_COMMITTER_DATE: date,
          },
        });
        told.push({
          command: step.slice(1).join(" "),
          output: (run.stdout + run.stderr).replaceAll(root, HOME),
          exitCode: run.status ?? -1,
        });
      }
    }
    return told;
  } finally {
    rmSync(root, { recursive: true });
  }
}

const poem = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");

const scripts: Readonly<Record<string, readonly Step[]>> = {
  "the first commit": [
    ["git", "init", "-b", "main"],
    ["git", "status"],
    ["git", "status", "-s"],
    ["write", "a.txt", "one\ntwo\n"],
    ["write", "src/deep/b.ts", "export const b = 1;\n"],
    ["write", "with space.txt", "x"],
    ["write", "ünï.txt", "y\n"],
    ["git", "status"],
    ["git", "status", "-s"],
    ["git", "status", "--porcelain", "-uall"],
    ["git", "add", "a.txt", "src"],
    ["git", "status"],
    ["git", "status", "--short", "--branch"],
    ["git", "diff", "--cached"],
    ["git", "commit", "-m", "First commit", "-m", "With a body."],
    ["git", "log"],
    ["git", "log", "--oneline"],
    ["git", "ls-files", "-s"],
    ["git", "add", "-A"],
    ["git", "commit", "-m", "The rest"],
    ["git", "commit", "-m", "Nothing"],
    ["git", "status"],
    ["git", "log", "--stat"],
    ["git", "show", "--name-only", "HEAD"],
    ["git", "log", "-1", "--pretty=format:%h %an <%ae> %s %ad"],
    ["git", "rev-parse", "HEAD", "HEAD~1"],
    ["git", "rev-parse", "--show-toplevel", "--abbrev-ref", "HEAD"],
  ],
  changes: [
    ["git", "init", "-q", "-b", "main"],
    ["write", "poem.txt", poem],
    [
      "write",
      "code.js",
      "function first() {\n  return 1;\n}\n\nfunction second() {\n  const a = 1;\n  const b = 2;\n  const c = 3;\n  const d = 4;\n  return a;\n}\n",
    ],
    ["write", "gone.txt", "bye\n"],
    ["write", "empty.txt", ""],
    ["git", "add", "."],
    ["git", "commit", "-q", "-m", "Start"],
    ["write", "poem.txt", `${poem.replace("line 3", "line three").replace("line 20\n", "")}\nmore\n`],
    [
      "write",
      "code.js",
      "function first() {\n  return 1;\n}\n\nfunction second() {\n  const a = 1;\n  const b = 2;\n  const c = 3;\n  const d = 4;\n  return a + b;\n}\n",
    ],
    ["remove", "gone.txt"],
    ["write", "new.txt", "new\n"],
    ["git", "status"],
    ["git", "diff"],
    ["git", "diff", "--stat"],
    ["git", "diff", "--name-status"],
    ["git", "diff", "--numstat"],
    ["git", "diff", "--name-only", "code.js"],
    ["git", "diff", "-U0", "HEAD", "--", "code.js"],
    ["git", "add", "-u"],
    ["git", "status", "-s"],
    ["git", "diff", "--staged", "--stat"],
    ["git", "commit", "-am", "Change"],
    ["git", "diff", "HEAD~1", "HEAD", "--stat"],
    ["git", "diff", "HEAD~1..HEAD", "--name-status"],
    ["git", "show"],
    ["git", "show", "HEAD~1:gone.txt"],
    ["git", "log", "--oneline", "--", "gone.txt"],
    ["git", "rm", "code.js"],
    ["git", "rm", "missing.js"],
    ["git", "status", "-s"],
    ["git", "reset", "-q", "--hard"],
    ["git", "status", "-s"],
    ["git", "rm", "--cached", "code.js"],
    ["git", "status", "-s"],
  ],
  "what is ignored": [
    ["git", "init", "-q", "-b", "main"],
    ["write", ".gitignore", "*.log\nnode_modules/\n/build\n!keep.log\n"],
    ["write", "a.log", "x"],
    ["write", "keep.log", "x"],
    ["write", "node_modules/p/index.js", "x"],
    ["write", "build/out.js", "x"],
    ["write", "src/build/in.js", "x"],
    ["git", "status", "--porcelain", "-uall"],
    ["git", "add", "."],
    ["git", "ls-files"],
    ["git", "ls-files", "-o", "--exclude-standard"],
    ["git", "ls-files", "-o"],
  ],
  branches: [
    ["git", "init", "-q", "-b", "main"],
    ["write", "a.txt", "a\n"],
    ["git", "add", "."],
    ["git", "commit", "-q", "-m", "A"],
    ["git", "branch", "dev"],
    ["git", "branch"],
    ["git", "checkout", "dev"],
    ["write", "b.txt", "b\n"],
    ["git", "add", "."],
    ["git", "commit", "-m", "B"],
    ["git", "switch", "main"],
    ["git", "status", "-s"],
    ["git", "ls-files"],
    ["git", "branch", "-d", "dev"],
    ["git", "merge", "dev"],
    ["git", "log", "--oneline", "--decorate"],
    ["git", "branch", "-d", "dev"],
    ["git", "checkout", "-b", "side"],
    ["write", "a.txt", "side\n"],
    ["git", "commit", "-am", "Side"],
    ["git", "checkout", "main"],
    ["write", "c.txt", "c\n"],
    ["git", "add", "c.txt"],
    ["git", "commit", "-m", "C"],
    ["git", "merge", "side", "-m", "Join"],
    ["git", "log", "--oneline"],
    ["git", "merge", "side"],
    ["git", "branch", "-v"],
    ["git", "tag", "v1"],
    ["git", "tag", "-a", "v2", "-m", "Two"],
    ["git", "tag"],
    ["git", "rev-parse", "v1", "v2^{}"],
    ["git", "checkout", "nowhere"],
    ["git", "checkout", "v1~1"],
    ["git", "status"],
    ["git", "branch"],
    ["git", "switch", "main"],
    ["git", "diff", "v1~1...v1", "--stat"],
    ["git", "log", "--oneline", "v1~2..v1"],
    ["git", "checkout", "HEAD~2", "a.txt"],
    ["git", "status", "-s"],
    ["git", "reset", "--hard", "-q"],
    ["git", "commit", "--amend", "--no-edit"],
    ["git", "branch", "-m", "trunk"],
    ["git", "branch", "--show-current"],
    ["git", "branch", "main"],
  ],
  "changes in the way": [
    ["git", "init", "-q", "-b", "main"],
    ["write", "a.txt", "a\n"],
    ["write", "b.txt", "b\n"],
    ["git", "add", "."],
    ["git", "commit", "-q", "-m", "A"],
    ["git", "checkout", "-q", "-b", "dev"],
    ["write", "a.txt", "dev\n"],
    ["git", "commit", "-q", "-am", "Dev"],
    ["git", "checkout", "-q", "main"],
    ["write", "b.txt", "kept\n"],
    ["git", "checkout", "dev"],
    ["git", "checkout", "main"],
    ["write", "a.txt", "mine\n"],
    ["git", "checkout", "dev"],
    ["git", "checkout", "--", "a.txt"],
    ["git", "status", "-s"],
    ["git", "restore", "b.txt"],
    ["git", "status", "-s"],
    ["write", "b.txt", "staged\n"],
    ["git", "add", "b.txt"],
    ["git", "restore", "--staged", "b.txt"],
    ["git", "status", "-s"],
    ["git", "add", "b.txt"],
    ["git", "reset"],
    ["git", "add", "b.txt"],
    ["git", "commit", "-q", "-m", "Second"],
    ["git", "reset", "--soft", "HEAD~1"],
    ["git", "status", "-s"],
    ["git", "reset", "--hard", "HEAD"],
    ["git", "status"],
  ],
  conflict: [
    ["git", "init", "-q", "-b", "main"],
    ["write", "a.txt", "one\ntwo\nthree\n"],
    ["git", "add", "."],
    ["git", "commit", "-q", "-m", "A"],
    ["git", "checkout", "-q", "-b", "dev"],
    ["write", "a.txt", "one\nTWO\nthree\n"],
    ["git", "commit", "-q", "-am", "Dev"],
    ["git", "checkout", "-q", "main"],
    ["write", "a.txt", "one\nzwei\nthree\n"],
    ["git", "commit", "-q", "-am", "Main"],
    ["git", "merge", "dev"],
    ["git", "status", "-s"],
    ["git", "status"],
    ["git", "commit", "-m", "Too early"],
    ["write", "a.txt", "one\nboth\nthree\n"],
    ["git", "add", "a.txt"],
    ["git", "status"],
    ["git", "commit", "-m", "Joined"],
    ["git", "log", "--oneline"],
    ["git", "log", "-1"],
    ["git", "status"],
  ],
  configuration: [
    ["git", "status"],
    ["git", "init", "-q", "-b", "main"],
    ["git", "config", "user.name", "Grace Hopper"],
    ["git", "config", "user.name"],
    ["git", "config", "--get", "user.name"],
    ["git", "config", "no.such"],
    ["git", "remote", "add", "origin", "https://example.com/a.git"],
    ["git", "remote", "-v"],
    ["git", "remote", "add", "origin", "https://example.com/b.git"],
    ["git", "remote", "get-url", "origin"],
    ["git", "remote", "remove", "origin"],
    ["git", "remote"],
    ["git", "commit", "-m", "Empty"],
    ["git", "log"],
    ["git", "commit", "--allow-empty", "-m", "Empty"],
    ["git", "commit", "--amend", "-m", "Empty, said better"],
    ["git", "commit", "--amend", "--allow-empty", "-m", "Empty, said better"],
    ["git", "log", "--oneline"],
    ["write", "a", "1\n"],
    ["git", "add", "nothing"],
    ["git", "add", "a"],
    ["git", "mv", "a", "b"],
    ["git", "status", "-s"],
  ],
};

describe.skipIf(!hasGit)("git prints what real git prints", () => {
  test.for(Object.entries(scripts))("%s", async ([, steps]) => {
    expect(await playedHere(steps)).toEqual(playedThere(steps));
  });
});

test("A name with a backslash is left out of what is added, and the rest is committed", async () => {
  const told = await playedHere([
    ["git", "init", "-q"],
    ["write", "a.txt", "a\n"],
    ["write", "back\\slash", "b\n"],
    ["git", "add", "."],
    ["git", "commit", "-q", "-m", "One"],
    ["git", "status", "-s"],
  ]);
  expect(told.slice(1)).toEqual([
    {
      command: "add .",
      output: "warning: 'back\\slash' is left out: this git takes no backslash in a name\n",
      exitCode: 0,
    },
    { command: "commit -q -m One", output: "", exitCode: 0 },
    { command: "status -s", output: '?? "back\\\\slash"\n', exitCode: 0 },
  ]);
});
