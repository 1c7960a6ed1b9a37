import { describe, expect, it } from "vitest";
import type { SearchQuery } from "../fileSystem";
import { memoryFile } from "../memoryFile";
import { SnapshotTree } from "../snapshotTree";
import { inlineSearch } from "./inlineSearch";
import { IndexShelf } from "./indexShelf";
import { passagesOf } from "./passages";
import { queryTerms, wordTerms } from "./searchTerms";

const CODE = `import { a } from "a";

/** Reads the configuration file. */
export async function readConfig(path: string) {
  return parse(await a(path));
}

// Joins lines.
const joinLines = (lines: string[]) =>
  lines.join("\\n");

export class HttpServer {
  port = 1;

  /** Starts to listen. */
  listen(port: number) {
    if (port > 0) {
      this.port = port;
    }
  }
}
`;

const PROSE = `Preface.

# Install

Run the installer.

## Usage

Call it with a path.
`;

function tree(files: Record<string, string>): SnapshotTree {
  return SnapshotTree.empty.withFiles(Object.entries(files).map(([path, text]) => [path, memoryFile(text, 0)]));
}

async function found(searched: SnapshotTree, query: SearchQuery): Promise<string[]> {
  const results: string[] = [];
  for await (const { path, startLine, endLine } of inlineSearch(searched, query)) {
    results.push(`${path}:${startLine}-${endLine}`);
  }
  return results;
}

describe("queryTerms", () => {
  it.each([
    ["readConfigFile", ["read", "config", "file", "readconfigfile"]],
    ["HTTPServer", ["http", "server", "httpserver"]],
    ["max_retry_count", ["max", "retri", "count", "max_retry_count"]],
    ["base64Text", ["base", "64", "text", "base64text"]],
    ["parses parsing parsed", ["pars", "pars", "pars"]],
    ["entries entry", ["entri", "entri"]],
    ["the boxes of a class", ["box", "class"]],
    ["日本語 café", ["日", "本", "語", "café"]],
  ])("%s", (text, terms) => {
    expect(queryTerms(text)).toEqual(terms);
  });

  it("has identifiers whole beside their words", () => {
    expect(wordTerms("readFile of x")).toEqual(["read", "file", "x"]);
  });
});

describe("passagesOf", () => {
  it("cuts code at its declarations, each with the comment above it", () => {
    expect(passagesOf("/a.ts", CODE)).toEqual([
      { name: "", startLine: 1, endLine: 1 },
      { name: "readConfig", startLine: 3, endLine: 6 },
      { name: "joinLines", startLine: 8, endLine: 10 },
      { name: "HttpServer", startLine: 12, endLine: 13 },
      { name: "listen", startLine: 15, endLine: 21 },
    ]);
  });

  it("cuts prose at its headings", () => {
    expect(passagesOf("/a.md", PROSE)).toEqual([
      { name: "", startLine: 1, endLine: 1 },
      { name: "Install", startLine: 3, endLine: 5 },
      { name: "Usage", startLine: 7, endLine: 9 },
    ]);
  });

  it("takes long passages apart and leaves machine-made texts at their first line", () => {
    expect(passagesOf("/a.ts", `function f() {\n${"x;\n".repeat(100)}}\n`).map(({ endLine }) => endLine)).toEqual([
      80, 102,
    ]);
    expect(passagesOf("/a.min.js", "x".repeat(5_000))).toEqual([{ name: "", startLine: 1, endLine: 1 }]);
    expect(passagesOf("/empty", "")).toEqual([]);
  });
});

describe("inlineSearch", () => {
  const start = tree({ "/src/a.ts": CODE, "/docs/a.md": PROSE, "/b.bin": "read config\0" });

  it("ranks passages and gives their lines", async () => {
    const results = [];
    for await (const result of inlineSearch(start, { query: "where is the config file read", maxResults: 1 })) {
      results.push(result);
    }
    expect(results).toEqual([
      {
        path: "/src/a.ts",
        score: expect.any(Number) as number,
        startLine: 3,
        endLine: 6,
        text: CODE.split("\n").slice(2, 6).join("\n"),
      },
    ]);
  });

  it("keeps to the paths asked for", async () => {
    expect(await found(start, { query: "path", paths: ["/docs"] })).toEqual(["/docs/a.md:7-9"]);
    expect(await found(start, { query: "path", paths: ["**/*.ts"] })).toEqual(["/src/a.ts:3-6"]);
    expect(await found(start, { query: "path", paths: ["/none"] })).toEqual([]);
    expect(await found(start, { query: "" })).toEqual([]);
  });

  it("follows the tree", async () => {
    const changed = start.withFile("/src/b.ts", memoryFile("export function zebraStripes() {}\n", 1)).without("/docs");
    expect(await found(changed, { query: "zebra stripe" })).toEqual(["/src/b.ts:1-1"]);
    expect(await found(changed, { query: "installer" })).toEqual([]);
    expect(await found(start, { query: "installer" })).toEqual(["/docs/a.md:3-5"]);
    expect(await found(start, { query: "zebra" })).toEqual([]);
  });
});

describe("IndexShelf", () => {
  it("asks for the texts it lacks and, after a change, for that one only", () => {
    const shelf = new IndexShelf(() => undefined);
    const first = tree({
      "/a.ts": "const alpha = 1;",
      "/b.ts": "const beta = 1;",
      "/c.ts": "const gamma = 1;",
      "/d.ts": "",
      "/e.ts": "\n",
      "/f.ts": "\n\n",
    });
    const hashOf = (path: string) => first.file(path)?.hash ?? "";
    expect(shelf.search(first, { query: "alpha" })).toEqual({
      kind: "needed",
      paths: ["/a.ts", "/b.ts", "/c.ts", "/d.ts", "/e.ts", "/f.ts"],
    });
    shelf.addText(hashOf("/a.ts"), "const alpha = 1;");
    shelf.addText(hashOf("/b.ts"), "const beta = 1;");
    expect(shelf.search(first, { query: "alpha" })).toEqual({
      kind: "needed",
      paths: ["/c.ts", "/d.ts", "/e.ts", "/f.ts"],
    });
    for (const path of ["/c.ts", "/d.ts", "/e.ts", "/f.ts"]) shelf.addText(hashOf(path), undefined);
    expect(shelf.search(first, { query: "alpha" })).toMatchObject({ kind: "found", passages: [{ path: "/a.ts" }] });
    const changed = first.withFile("/b.ts", memoryFile("const alpha = 2;", 1)).without("/a.ts");
    expect(shelf.search(changed, { query: "alpha" })).toEqual({ kind: "needed", paths: ["/b.ts"] });
    // Left half-way for another tree, and come back to.
    shelf.addText(changed.file("/b.ts")?.hash ?? "", "const alpha = 2;");
    const other = first.withFile("/c.ts", memoryFile("const alpha = 3;", 1)).without("/b.ts");
    expect(shelf.search(other, { query: "alpha" })).toEqual({ kind: "needed", paths: ["/a.ts", "/c.ts"] });
    shelf.addText(hashOf("/a.ts"), "const alpha = 1;");
    shelf.addText(other.file("/c.ts")?.hash ?? "", "const alpha = 3;");
    const answer = shelf.search(other, { query: "alpha" });
    expect(answer.kind === "found" && answer.passages.map(({ path }) => path).toSorted()).toEqual(["/a.ts", "/c.ts"]);
    expect(shelf.search(changed, { query: "alpha" })).toEqual({ kind: "needed", paths: ["/c.ts"] });
    shelf.addText(hashOf("/c.ts"), "const gamma = 1;");
    expect(shelf.search(changed, { query: "alpha" })).toMatchObject({ kind: "found", passages: [{ path: "/b.ts" }] });
  });
});
