import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../base";
import { scriptedServer } from "../model/scriptedServer.suite";
import { agent, agentProcess, directoryWith, inShell } from "./commandLine.suite";

let root = "";
const odd = "/ü/-x \"q\" 'n'.txt";
beforeAll(async () => {
  root = await directoryWith({
    "a.txt": "one\ntwo\n",
    "b.txt": "x\ntwo\n",
    "docs/guide.md": "# Guide\n",
    [odd]: "odd\n",
    "image.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  });
});

const call = (tool: string, input: unknown, ...more: string[]) =>
  agent(["call", tool, "--root", root, "--input", JSON.stringify(input), ...more]);

describe("call", () => {
  it("prints what a model reads, by either name of the tool and any name of an argument", async () => {
    const read = { code: 0, stdout: "     1|one\n     2|two\n", stderr: "" };
    expect(await call("read", { path: "/a.txt" })).toEqual(read);
    expect(await call("Read", { target_file: "a.txt" })).toEqual(read);
    expect(await call("grep", { pattern: "two", output_mode: "files_with_matches" })).toEqual({
      code: 0,
      stdout: "/a.txt\n/b.txt\n",
      stderr: "",
    });
    expect((await call("read", { path: odd })).stdout).toBe("     1|odd\n");
    expect((await call("ls", { path: "/docs" })).stdout).toBe("/docs\n  - guide.md\n");
    expect((await call("read", { path: "/image.png" })).stdout).toBe(
      "[an image, image/png; --json prints it as base64]\n",
    );
  });

  it("prints the value with --json", async () => {
    const { code, stdout } = await call("read", { path: "/a.txt", limit: 1 }, "--json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { path: "/a.txt", content: "one\n", totalLines: 2, fileSize: 8, startLine: 1, shownLines: 1 },
    ]);
  });

  it("takes edit for Write or StrReplace, by what the input holds, and writes to the disk", async () => {
    const path = join(root, "made.txt");
    expect((await call("edit", { path: "/made.txt", contents: "a b a\n" })).stdout).toBe(
      "Wrote contents to /made.txt\n",
    );
    const replaced = await call("edit", { path: "/made.txt", old_string: "b", new_string: "$&" });
    expect(replaced.stdout).toBe("Replaced 1 occurrence in /made.txt\n");
    expect(await readFile(path, "utf8")).toBe("a $& a\n");
    const stubbed = await call("delete", { path: "/made.txt" }, "--dry-run");
    expect(stubbed.stdout).toContain("Operation acknowledged.\n");
    const value = (await call("delete", { path: "/made.txt" }, "--dry-run", "--json")).stdout;
    expect(JSON.parse(value)).toEqual({ stub: true, output: expect.anything() as unknown });
    expect(await readFile(path, "utf8")).toBe("a $& a\n");
    expect((await call("delete", { path: "/made.txt" })).stdout).toBe("Deleted /made.txt\n");
  });

  it("ends with 1 and words on standard error when the tool fails", async () => {
    expect(await call("read", { path: "/missing" })).toEqual({ code: 1, stdout: "", stderr: "not found: /missing\n" });
    expect(await call("edit", { path: "/a.txt", oldText: "zz", newText: "y" })).toEqual({
      code: 1,
      stdout: "",
      stderr: "The string to replace was not found in the file\n",
    });
    expect(await call("grep", { pattern: "(" }, "--json")).toMatchObject({ code: 1, stdout: "" });
    const missing = await call("read", {}, "--json");
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
    expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: "invalid-input" } });
    expect(await agent(["call", "read", "--root", join(root, "no"), "--input", "{}"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `There is no directory ${join(root, "no")}.\n`,
    });
  });

  it("ends with 2 when it is used wrongly", async () => {
    const usage = "How it is used: npm run --silent agent -- call --help\n";
    const cases: [args: string[], first: string | RegExp][] = [
      [["call"], "call needs TOOL."],
      [["call", "read", "now"], "call does not take now."],
      [["call", "read", "--root", root, "--nosuch"], "Unknown option '--nosuch'."],
      [["call", "read", "--root"], /argument missing/],
      [["call", "read", "--input", "{}"], "Read needs a tree: give --root DIR or --mount /PREFIX=DIR."],
      [["call", "read", "--root", root, "--input", "{path"], /^--input is not JSON: /],
      [["call", "read", "--root", root, "--input", "[1]"], /^--input takes a JSON object/],
      [["call", "read", "--mount", "docs", "--input", "{}"], "--mount takes /PREFIX=DIR, not docs."],
      [["call", "nosuch", "--root", root], /^There is no tool nosuch\. The tools: Read, LS, /],
    ];
    for (const [args, first] of cases) {
      const { code, stdout, stderr } = await agent(args);
      const [line, ...rest] = stderr.split(/(?<=\n)/);
      expect([args, code, stdout, rest.join("")]).toEqual([args, 2, "", usage]);
      expect(line?.trim()).toMatch(first);
    }
    expect(await agent([])).toMatchObject({ code: 2, stdout: "" });
    expect(await agent(["frobnicate"])).toMatchObject({ code: 2, stdout: "" });
  });

  it("takes its input from a file or standard input, and several directories as one tree", async () => {
    const other = await directoryWith({ "n.md": "note\n", "input.json": '{"path":"/notes/n.md"}' });
    const mounts = ["--root", root, "--mount", `/notes=${other}`];
    expect(await agent(["call", "read", ...mounts, "--input", "-"], { input: '{"path":"/notes/n.md"}' })).toEqual({
      code: 0,
      stdout: "     1|note\n",
      stderr: "",
    });
    const named = await agent(["call", "read", ...mounts, "--input", `@${join(other, "input.json")}`]);
    expect(named.stdout).toBe("     1|note\n");
    expect((await agent(["call", "glob", ...mounts, "--input", '{"pattern":"**/*.md"}'])).stdout).toBe(
      "/docs/guide.md\n/notes/n.md\n",
    );
  });
});

describe("the web", () => {
  it("is there where the person says so", async () => {
    const refused = await call("webFetch", { url: "http://127.0.0.1:9/" });
    expect(refused).toEqual({ code: 1, stdout: "", stderr: "webFetch is not offered: Nothing here runs webFetch.\n" });
    await using server = await scriptedServer((response, { path }) => {
      response.writeHead(200, { "content-type": path.startsWith("/v1/search") ? "application/json" : "text/plain" });
      const results = [{ title: "T", url: "https://x.example/", snippet: "S" }];
      response.end(path.startsWith("/v1/search") ? JSON.stringify({ results }) : "a page");
    });
    expect((await call("webFetch", { url: `${server.baseUrl}/page` }, "--web")).stdout).toContain("a page");
    const found = await call("webSearch", { searchTerm: "x" }, "--search-url", `${server.baseUrl}/search`, "--json");
    expect(JSON.parse(found.stdout)).toMatchObject({ results: [{ title: "T", url: "https://x.example/" }] });
    expect(server.requests[1]?.path).toBe("/v1/search?q=x");
    const recorded = await call("webSearch", { searchTerm: "IndexedDB close event" }, "--web", "--json");
    expect(JSON.parse(recorded.stdout)).toMatchObject({ fixture: true, source: "recorded results" });
    expect(await call("webSearch", {}, "--search-url", "nowhere")).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("the program", () => {
  it("takes the same words as a process, and ends with the same codes", async () => {
    const [fine, failed, misused] = await Promise.all([
      agentProcess(["call", "read", "--root", root, "--input", "-"], { input: '{"path":"/a.txt"}' }),
      agentProcess(["call", "read", "--root", root, "--input", '{"path":"/missing"}']),
      agentProcess(["call", "read", "--nosuch"]),
    ]);
    expect(fine).toEqual({ code: 0, stdout: "     1|one\n     2|two\n", stderr: "" });
    expect(failed).toEqual({ code: 1, stdout: "", stderr: "not found: /missing\n" });
    expect([misused?.code, misused?.stdout]).toEqual([2, ""]);
  });
});

describe("a pattern that runs away", () => {
  it("is given up: the process says so and ends", async () => {
    const hostile = await directoryWith({ "a.txt": `${"a".repeat(34)}!\n` });
    const input = JSON.stringify({ pattern: "^(a|a)*$" });
    const began = performance.now();
    const line = `timeout -s KILL 60 $agent call grep --root ${hostile} --input '${input}'`;
    expect(await inShell(line, process.cwd())).toEqual({
      code: 1,
      stdout: "",
      stderr: "grep pattern takes too long: ^(a|a)*$\n",
    });
    expect(performance.now() - began).toBeGreaterThan(limits.grepFileBudgetMs);
  }, 70_000);
});

describe("the output", () => {
  const BYTES = 5_000_000;
  it("is whole on a pipe that is read slowly, and quiet when nobody reads it to its end", async () => {
    const folder = await directoryWith({
      "agent.json": "{}",
      "instructions.md": "x",
      "tools/big.js": `export default { description: "Much.", effect: "read", inputSchema: { type: "object" },
        execute: () => "0123456789".repeat(${BYTES / 10}) };`,
      "package.json": '{ "type": "module" }',
    });
    const whole = await inShell(`set -o pipefail; $agent call big --dir . | (sleep 1; wc -c)`, folder);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\s*5000001\s*$/) as string, stderr: "" });
    const cut = await inShell(`$agent call big --dir . | head -c 10; echo " \${PIPESTATUS[0]}"`, folder);
    expect(cut).toEqual({ code: 0, stdout: "0123456789 0\n", stderr: "" });
  });

  it("holds nothing but the result when npm runs it", async () => {
    const line = `npm run --silent agent -- call read --root ${root} --input '{"path":"/a.txt"}'`;
    expect(await inShell(line, process.cwd())).toEqual({ code: 0, stdout: "     1|one\n     2|two\n", stderr: "" });
    const failed = await inShell(`npm run --silent agent -- call read --root ${root} --input '{}'`, process.cwd());
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
  });

  it("is the help of the program and of each command", async () => {
    for (const name of ["validate", "info", "call", "run", "trajectory"]) {
      const { code, stdout, stderr } = await agent([name, "--help"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`Usage: npm run --silent agent -- ${name}`);
    }
    expect((await agent(["--help"])).stdout).toContain("Exit codes: 0 it is done");
  });
});
