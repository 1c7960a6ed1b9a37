import { expect } from "vitest";
import type { FileSystem } from "./fileSystem";
import { entriesOf, expectError, pathsOf, type Case } from "./suiteCase.suite";

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);

export function emptyCases(that: Case): void {
  that("is a directory with nothing in it, which misses every file", {}, async (tree) => {
    expect([await tree.stat("/"), await tree.stat("/a")]).toMatchObject([{ kind: "directory" }, { kind: "missing" }]);
    expect(await pathsOf(tree.list())).toEqual([]);
    expect(await pathsOf(tree.list("/a"))).toEqual([]);
    expect(await pathsOf(tree.glob("**"))).toEqual([]);
    expect(await entriesOf(tree.search({ query: "a", maxResults: 3 }))).toEqual([]);
    await expectError(tree.read("/a"), "not-found", "not found: /a", "/a");
    await expectError(tree.read("/"), "not-a-file", "not a file: /", "/");
  });
  that(
    "has no line to find",
    {},
    async (tree) => {
      expect(await entriesOf(tree.grep({ pattern: "" }))).toEqual([]);
      expect(await entriesOf(tree.grep({ pattern: "a", path: "/a", glob: "*.ts" }))).toEqual([]);
    },
    "grep",
  );
}

export function listCases(that: Case): void {
  that(
    "yields files and the directories above them in plain string order of whole paths",
    { "/a/x": "1", "/a-b": "2", "/a/y/z": "3", "/B": "4", "/a.txt": "5" },
    async (tree) => {
      const expected = ["/B", "/a", "/a-b", "/a.txt", "/a/x", "/a/y", "/a/y/z"];
      expect(await pathsOf(tree.list())).toEqual(expected);
      expect(await pathsOf(tree.list("/"))).toEqual(expected);
      expect(await pathsOf(tree.list(""))).toEqual(expected);
    },
  );
  that("lists below a prefix by segments", { "/a/x": "1", "/ab/y": "2", "/a-b": "3" }, async (tree) => {
    expect(await pathsOf(tree.list("/a"))).toEqual(["/a/x"]);
    expect(await pathsOf(tree.list("/a/"))).toEqual(["/a/x"]);
    expect(await pathsOf(tree.list("/b/../a/."))).toEqual(["/a/x"]);
  });
  that("says what each entry is", { "/d/f": "äb" }, async (tree) => {
    const entries = await entriesOf(tree.list());
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ["/d", "directory"],
      ["/d/f", "file"],
    ]);
    expect([undefined, 3]).toContain(entries[1]?.sizeBytes);
  });
  that("yields nothing for a file, for what is missing and for what cannot be", { "/f": "x" }, async (tree) => {
    for (const prefix of ["/f", "/f/below", "/missing", "/nul\0"]) {
      expect(await pathsOf(tree.list(prefix))).toEqual([]);
    }
  });
  that("can be left early and taken up anew", { "/1": "", "/2": "", "/3": "" }, async (tree) => {
    for await (const entry of tree.list()) {
      expect(entry.path).toBe("/1");
      break;
    }
    expect(await pathsOf(tree.list())).toEqual(["/1", "/2", "/3"]);
  });
}

export function statCases(that: Case): void {
  that("tells file, directory and missing apart and never throws", { "/d/f": "x" }, async (tree) => {
    const kinds: [string, string][] = [
      ["/", "directory"],
      ["", "directory"],
      ["/d", "directory"],
      ["/d/", "directory"],
      ["/d/f", "file"],
      ["/d/f/x", "missing"],
      ["/d/g", "missing"],
      ["/d/../d/f", "file"],
      ["/nul\0", "missing"],
    ];
    for (const [path, kind] of kinds) expect([path, (await tree.stat(path)).kind]).toEqual([path, kind]);
  });
}

export function globCases(that: Case): void {
  const files = { "/src/a.ts": "", "/src/n/c.ts": "", "/src/.hidden.ts": "", "/top.ts": "", "/src/n/d.js": "" };
  that("matches the path relative to the directory, not a basename anywhere", files, async (tree) => {
    expect(await pathsOf(tree.glob("*.ts", "/src"))).toEqual(["/src/.hidden.ts", "/src/a.ts"]);
    expect(await pathsOf(tree.glob("*.ts"))).toEqual(["/top.ts"]);
    expect(await pathsOf(tree.glob("src/*/c.ts"))).toEqual(["/src/n/c.ts"]);
    expect(await pathsOf(tree.glob("n/*", "src"))).toEqual(["/src/n/c.ts", "/src/n/d.js"]);
  });
  that("spans directories with ** and yields files only", files, async (tree) => {
    expect(await pathsOf(tree.glob("**/*.ts"))).toEqual(["/src/.hidden.ts", "/src/a.ts", "/src/n/c.ts", "/top.ts"]);
    expect(await pathsOf(tree.glob("**", "/src/n"))).toEqual(["/src/n/c.ts", "/src/n/d.js"]);
  });
  that("yields nothing for a missing directory and for one named by a file", files, async (tree) => {
    expect(await pathsOf(tree.glob("**", "/missing"))).toEqual([]);
    expect(await pathsOf(tree.glob("**", "/top.ts"))).toEqual([]);
  });
}

export function readCases(that: Case): void {
  const texts = { "/bom": "\uFEFFx", "/crlf": "a\r\nb\r\n", "/empty": "", "/emoji": "🙂 é e\u0301\n" };
  that("answers text as it is: BOM, line ends, everything", texts, async (tree) => {
    for (const [path, text] of Object.entries(texts)) expect(await tree.read(path)).toBe(text);
  });
  const bytes = { "/i.png": png, "/nul": Uint8Array.of(65, 0, 66), "/latin1": Uint8Array.of(0xe9) };
  that("answers images, NUL and what is not UTF-8 as bytes", bytes, async (tree) => {
    for (const [path, expected] of Object.entries(bytes)) expect(await tree.read(path)).toEqual(expected);
  });
  that("gives bytes the caller may change", { "/nul": Uint8Array.of(0, 1) }, async (tree) => {
    ((await tree.read("/nul")) as Uint8Array)[0] = 9;
    expect(await tree.read("/nul")).toEqual(Uint8Array.of(0, 1));
  });
  that("refuses what is missing, below a file, or a directory", { "/d/f": "x" }, async (tree) => {
    await expectError(tree.read("/d/g"), "not-found", "not found: /d/g", "/d/g");
    await expectError(tree.read("/d/f/x"), "not-found", "not found: /d/f/x", "/d/f/x");
    await expectError(tree.read("/d"), "not-a-file", "not a file: /d", "/d");
    await expectError(tree.read("/x/../d/"), "not-a-file", "not a file: /d", "/d");
  });
}

export function grepCases(that: Case): void {
  const files = { "/a/x.ts": "one\ntwo one\n", "/a-b.md": "one", "/b.ts": "none\r\nzero" };
  const hits = async (tree: FileSystem, query: Parameters<FileSystem["grep"]>[0]) => {
    const found: string[] = [];
    for await (const { path, lineNumber, line } of tree.grep(query)) found.push(`${path}:${lineNumber}:${line}`);
    return found;
  };
  that(
    "yields every hit by path, then line",
    files,
    async (tree) => {
      expect(await hits(tree, { pattern: "one" })).toEqual([
        "/a-b.md:1:one",
        "/a/x.ts:1:one",
        "/a/x.ts:2:two one",
        "/b.ts:1:none",
      ]);
    },
    "grep",
  );
  that(
    "keeps to its path, its glob and its cap",
    files,
    async (tree) => {
      expect(await hits(tree, { pattern: "one", path: "/a" })).toEqual(["/a/x.ts:1:one", "/a/x.ts:2:two one"]);
      expect(await hits(tree, { pattern: "one", path: "/a/x.ts", maxResults: 1 })).toEqual(["/a/x.ts:1:one"]);
      expect(await hits(tree, { pattern: "one", glob: "*.md" })).toEqual(["/a-b.md:1:one"]);
      expect(await hits(tree, { pattern: "one", glob: "a/*.ts" })).toEqual(["/a/x.ts:1:one", "/a/x.ts:2:two one"]);
      expect(await hits(tree, { pattern: "one", maxResults: 2 })).toEqual(["/a-b.md:1:one", "/a/x.ts:1:one"]);
      expect(await hits(tree, { pattern: "one", path: "/missing" })).toEqual([]);
    },
    "grep",
  );
  that(
    "refuses a pattern that is none",
    files,
    async (tree) => {
      await expectError(hits(tree, { pattern: "(", path: "/a" }), "invalid-grep-pattern", undefined, "/a");
    },
    "grep",
  );
}
