import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostCommandDisk } from "../embedded/hostCommand";
import { gitCommand } from "./gitCommand";
import { memoryDisk } from "./memoryDisk.suite";

const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

async function git(disk: HostCommandDisk, cwd: string, args: readonly string[], hasNetwork = true) {
  const { stdout, stderr, exitCode } = await gitCommand.run(args, {
    cwd,
    env: { HOME: "/tmp", ...IDENTITY },
    stdin: new Uint8Array(),
    disk,
    hasNetwork,
    deadlineMs: Date.now() + 60_000,
    signal: undefined,
  });
  return { output: (typeof stdout === "string" ? stdout : new TextDecoder().decode(stdout)) + stderr, exitCode };
}

describe("git without an answer", () => {
  const disk = memoryDisk();

  it.for([
    [
      ["stash"],
      1,
      /^git: 'stash' is not a git command of this host \(isomorphic-git\)\. It has: add, branch, .*, tag\.\n$/,
    ],
    [
      ["status", "--nope"],
      129,
      /^error: unknown option `--nope'\nThe git of this host is isomorphic-git: `git status` takes -s, --short · /,
    ],
    [
      ["clone", "git@example.com:a.git"],
      128,
      /^Cloning into 'a'\.\.\.\nfatal: 'git@example\.com:a\.git': git in a page speaks http and https only/,
    ],
    [
      ["clone", "http://127.0.0.1:9/a.git"],
      128,
      /Most git servers send no CORS headers, without which a browser withholds the answer\. Name a proxy that adds them in GIT_CORS_PROXY/,
    ],
  ] as const)("says what it cannot: %j", async ([args, exitCode, words]) => {
    const told = await git(disk, "/home/project", args);
    expect(told.output).toMatch(words);
    expect(told.exitCode).toBe(exitCode);
  });

  it("uses no network in a sandbox", async () => {
    const { output, exitCode } = await git(disk, "/home/project", ["clone", "https://example.com/a.git"], false);
    expect([output, exitCode]).toEqual([
      "Cloning into 'a'...\nfatal: this host runs in a sandbox: git may not use the network here\n",
      128,
    ]);
  });
});

const backend = join(spawnSync("git", ["--exec-path"], { encoding: "utf8" }).stdout?.trim() ?? "", "git-http-backend");
const hasBackend = spawnSync(backend, { env: { REQUEST_METHOD: "GET" } }).error === undefined;
if (!hasBackend)
  console.log("Skipped: clone, fetch, pull and push, for which real git's http-backend is not on this machine.");

describe.skipIf(!hasBackend)("git with a server of real git", () => {
  let root: string;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "rootscope-git-server-"));
    server = createServer((request, response) => serve(request, response));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bare.git`;
    real(root, "init", "-q", "--bare", "-b", "main", "bare.git");
    real(root, "-C", "bare.git", "config", "http.receivepack", "true");
    mkdirSync(join(root, "there"));
    real(root, "clone", "-q", "bare.git", "there");
    commitThere("a.txt", "one\n", "First");
  });

  afterAll(() => {
    server.close();
    rmSync(root, { recursive: true });
  });

  function real(cwd: string, ...args: string[]): string {
    const { PATH = "" } = process.env;
    return spawnSync("git", args, {
      cwd,
      encoding: "utf8",
      env: { PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1", ...IDENTITY },
    }).stdout;
  }

  function commitThere(path: string, contents: string, message: string): void {
    writeFileSync(join(root, "there", path), contents);
    real(join(root, "there"), "add", ".");
    real(join(root, "there"), "commit", "-q", "-m", message);
    real(join(root, "there"), "push", "-q", "origin", "HEAD:main");
  }

  /** The protocol of CGI, as far as git's backend speaks it. */
  function serve(request: IncomingMessage, response: ServerResponse): void {
    const address = new URL(request.url ?? "/", "http://localhost");
    const cgi = spawn(backend, {
      env: {
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: address.pathname,
        QUERY_STRING: address.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers["content-type"],
        GIT_PROTOCOL: request.headers["git-protocol"] as string | undefined,
        REMOTE_USER: "ada",
      },
    });
    request.pipe(cgi.stdin);
    const chunks: Buffer[] = [];
    cgi.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    cgi.on("close", () => {
      const whole = Buffer.concat(chunks);
      const end = whole.indexOf("\r\n\r\n");
      for (const line of whole.subarray(0, end).toString().split("\r\n")) {
        const [name = "", value = ""] = line.split(": ");
        if (name === "Status") response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(whole.subarray(end + 4));
    });
  }

  it("clones, pulls what others pushed, and pushes what it commits", async () => {
    const disk = memoryDisk();
    const copy = "/home/project/copy";
    expect(await git(disk, "/home/project", ["clone", url, "copy"])).toEqual({
      output: "Cloning into 'copy'...\n",
      exitCode: 0,
    });
    expect(await git(disk, copy, ["status", "-s"])).toEqual({ output: "", exitCode: 0 });
    expect(await git(disk, copy, ["branch", "-a"])).toEqual({ output: "* main\n  remotes/origin/main\n", exitCode: 0 });

    commitThere("b.txt", "two\n", "Second");
    const pulled = await git(disk, copy, ["pull"]);
    expect(pulled.output).toContain(
      "Fast-forward\n b.txt | 1 +\n 1 file changed, 1 insertion(+)\n create mode 100644 b.txt\n",
    );
    expect(new TextDecoder().decode(await disk.readFile(`${copy}/b.txt`))).toBe("two\n");

    await disk.writeFile(`${copy}/a.txt`, "one\nfrom the page\n");
    await git(disk, copy, ["commit", "-q", "-am", "From the page"]);
    expect(await git(disk, copy, ["push"])).toEqual({ output: `To ${url}\n   main -> main\n`, exitCode: 0 });
    expect(real(join(root, "bare.git"), "log", "--format=%s", "main")).toBe("From the page\nSecond\nFirst\n");
    expect(real(join(root, "bare.git"), "show", "main:a.txt")).toBe("one\nfrom the page\n");
    expect(real(join(root, "bare.git"), "fsck", "--strict")).toBe("");

    real(join(root, "there"), "pull", "-q", "origin", "main");
    commitThere("c.txt", "three\n", "Third");
    await disk.writeFile(`${copy}/a.txt`, "again\n");
    await git(disk, copy, ["commit", "-q", "-am", "Behind"]);
    const refused = await git(disk, copy, ["push"]);
    expect([refused.exitCode, refused.output]).toEqual([
      1,
      `To ${url}\n ! [rejected] (fetch first)\nhint: the remote has commits that are not here: git pull, then push again\nerror: failed to push some refs to '${url}'\n`,
    ]);
  });
});
