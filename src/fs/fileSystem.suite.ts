import { describe, expect, it, type TestContext } from "vitest";
import { isEditableDisk } from "./commitEdits";
import type { DirEntry, EditableFileSystem, FileSystem } from "./fileSystem";
import { memoryFile } from "./memoryFile";
import type { PathErrorCode } from "./pathError";
import { PathError } from "./pathError";
import { isVersionedTree } from "./versionedTree";

/** What a tree may lack. */
export type SuitePart = "write" | "edit" | "grep" | "snapshot" | "emptyDirectories";

export interface SuiteOptions {
  /** Parts that do not run, each with its reason. */
  readonly skips?: Partial<Record<SuitePart, string>>;
  /** Lets go of what the factory made. */
  readonly close?: (tree: FileSystem) => Promise<void>;
}

export type TreeFactory = (files: Readonly<Record<string, string | Uint8Array>>) => FileSystem | Promise<FileSystem>;

/** One case: gets a tree that holds the files, and lets go of it afterwards. */
type Case = (
  title: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  body: (tree: EditableFileSystem) => Promise<void>,
  part?: SuitePart,
) => void;

/** What every tree must do (docs/filesystem.md, sections 1 and 2), whatever keeps it. */
export function describeFileSystem(name: string, factory: TreeFactory, { skips = {}, close }: SuiteOptions = {}): void {
  const that: Case = (title, files, body, part) => {
    it(title, async (context: TestContext) => {
      const reason = part === undefined ? undefined : skips[part];
      if (reason !== undefined) context.skip(reason);
      const tree = await factory(files);
      try {
        // The cases that edit are skipped for trees that cannot.
        await body(tree as EditableFileSystem);
      } finally {
        await close?.(tree);
      }
    });
  };
  describe(`${name} as a file system`, () => {
    describe("list", () => listCases(that));
    describe("stat", () => statCases(that));
    describe("glob", () => globCases(that));
    describe("read", () => readCases(that));
    describe("grep", () => grepCases(that));
    describe("write", () => writeCases(that));
    describe("delete", () => deleteCases(that));
    describe("paths", () => pathCases(that));
    describe("editing", () => editCases(that));
    describe("snapshots", () => snapshotCases(that));
  });
}

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);

function listCases(that: Case): void {
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

function statCases(that: Case): void {
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

function globCases(that: Case): void {
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

function readCases(that: Case): void {
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

function grepCases(that: Case): void {
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

function writeCases(that: Case): void {
  that(
    "creates, overwrites and makes the parents",
    {},
    async (tree) => {
      expect(await tree.write("/d/e/f", "1")).toBeUndefined();
      await tree.write("/d/e/f", "2");
      expect(await tree.read("/d/e/f")).toBe("2");
      expect(await pathsOf(tree.list())).toEqual(["/d", "/d/e", "/d/e/f"]);
    },
    "write",
  );
  that(
    "takes bytes and does not hold on to the caller's",
    {},
    async (tree) => {
      const bytes = Uint8Array.of(0, 1, 2);
      await tree.write("/b", bytes);
      bytes[0] = 9;
      expect(await tree.read("/b")).toEqual(Uint8Array.of(0, 1, 2));
      await tree.write("/t", new TextEncoder().encode("text"));
      expect(await tree.read("/t")).toBe("text");
    },
    "write",
  );
  that(
    "refuses a directory, the root, and a file as a parent",
    { "/d/f": "x" },
    async (tree) => {
      await expectError(tree.write("/d", ""), "not-a-file", "not a file: /d", "/d");
      await expectError(tree.write("/", ""), "not-a-file", "not a file: /", "/");
      await expectError(tree.write("/d/f/g/h", ""), "not-a-directory", "not a directory: /d/f/g/h", "/d/f/g/h");
      expect(await pathsOf(tree.list())).toEqual(["/d", "/d/f"]);
    },
    "write",
  );
  that(
    "keeps every one of many writes at once",
    {},
    async (tree) => {
      const paths = Array.from({ length: 50 }, (_, index) => `/n/${String(index).padStart(2, "0")}`);
      await Promise.all(paths.map((path) => tree.write(path, path)));
      expect(await pathsOf(tree.list("/n"))).toEqual(paths);
    },
    "write",
  );
}

function deleteCases(that: Case): void {
  that(
    "takes the file, and the directories that were there by it alone",
    { "/d/e/f": "x", "/d/g": "y" },
    async (tree) => {
      expect(await tree.delete("/d/e/f")).toBeUndefined();
      expect(await pathsOf(tree.list())).toEqual(["/d", "/d/g"]);
      expect(await tree.stat("/d/e")).toEqual({ kind: "missing" });
      await tree.write("/d/e", "now a file");
      expect(await tree.read("/d/e")).toBe("now a file");
    },
    "write",
  );
  that(
    "refuses what is missing and a directory",
    { "/d/f": "x" },
    async (tree) => {
      await expectError(tree.delete("/d/g"), "not-found", "not found: /d/g", "/d/g");
      await expectError(tree.delete("/d/f/g"), "not-found", "not found: /d/f/g", "/d/f/g");
      await expectError(tree.delete("/d"), "not-a-file", "not a file: /d", "/d");
    },
    "write",
  );
}

function pathCases(that: Case): void {
  const composed = "/caf\u00e9";
  const decomposed = "/cafe\u0301";
  const long = `/${"x".repeat(255)}`;
  that(
    "keeps names byte for byte: composed and decomposed are two files",
    { [composed]: "1", [decomposed]: "2" },
    async (tree) => {
      expect(await pathsOf(tree.list())).toEqual([decomposed, composed]);
      expect([await tree.read(composed), await tree.read(decomposed)]).toEqual(["1", "2"]);
    },
  );
  that(
    "takes spaces, emoji, dots and names of 255 bytes",
    {
      "/ a b /c ": "1",
      "/👩‍💻.txt": "2",
      "/...": "3",
      "/.x": "4",
      [long]: "5",
      [`/${"é".repeat(127)}`]: "6",
      "/__proto__": "7",
    },
    async (tree) => {
      expect(await pathsOf(tree.list())).toEqual([
        "/ a b ",
        "/ a b /c ",
        "/...",
        "/.x",
        "/__proto__",
        long,
        `/${"é".repeat(127)}`,
        "/👩‍💻.txt",
      ]);
      expect(await tree.read("/__proto__")).toBe("7");
    },
  );
  that(
    "refuses NUL, a lone surrogate and a name of more than 255 bytes",
    {},
    async (tree) => {
      for (const path of ["/nul\0", "/lone\ud800", `/d/${"x".repeat(256)}`, `/${"é".repeat(128)}/f`]) {
        await expectError(tree.write(path, ""), "invalid-path", `invalid path: ${path}`, path);
        expect((await tree.stat(path)).kind).toBe("missing");
      }
      expect(await pathsOf(tree.list())).toEqual([]);
    },
    "write",
  );
  that(
    "resolves what leads up and never climbs above the root",
    {},
    async (tree) => {
      await tree.write("/../../a/./b//../c", "x");
      expect(await pathsOf(tree.list())).toEqual(["/a", "/a/c"]);
      expect(await tree.read("../a/c/")).toBe("x");
      await expectError(tree.read("/a/../../d"), "not-found", "not found: /d", "/d");
    },
    "write",
  );
}

function editCases(that: Case): void {
  that(
    "renames files and directories with all below them",
    { "/a/b/c": "1", "/a/d": "2" },
    async (tree) => {
      await tree.rename("/a/b", "/e/f");
      await tree.rename("/a/d", "/e/f/d");
      expect(await pathsOf(tree.list())).toEqual(["/e", "/e/f", "/e/f/c", "/e/f/d"]);
      expect(await tree.read("/e/f/c")).toBe("1");
    },
    "edit",
  );
  that(
    "renames nothing over what is there, into itself, or from nowhere",
    { "/a/b": "1", "/c": "2" },
    async (tree) => {
      await expectError(tree.rename("/a", "/c"), "conflict", "conflict: /c", "/c");
      await expectError(tree.rename("/a", "/a/x"), "invalid-path", "invalid path: /a/x", "/a/x");
      await expectError(tree.rename("/x", "/y"), "not-found", "not found: /x", "/x");
      await expectError(tree.rename("/a", "/c/x"), "not-a-directory", "not a directory: /c/x", "/c/x");
      await tree.rename("/c", "/c");
      expect(await pathsOf(tree.list())).toEqual(["/a", "/a/b", "/c"]);
    },
    "edit",
  );
  that(
    "keeps directories that were made, empty or emptied",
    {},
    async (tree) => {
      await tree.makeDirectory("/m/n");
      await tree.write("/m/n/f", "x");
      await tree.delete("/m/n/f");
      expect(await pathsOf(tree.list())).toEqual(["/m", "/m/n"]);
      await tree.removeDirectory("/m");
      expect(await pathsOf(tree.list())).toEqual([]);
    },
    "edit",
  );
  that(
    "makes no directory of a file and removes none that is not there",
    { "/f": "x" },
    async (tree) => {
      await expectError(tree.makeDirectory("/f"), "not-a-directory", "not a directory: /f", "/f");
      await expectError(tree.makeDirectory("/f/g"), "not-a-directory", "not a directory: /f/g", "/f/g");
      await expectError(tree.removeDirectory("/f"), "not-a-directory", "not a directory: /f", "/f");
      await expectError(tree.removeDirectory("/g"), "not-found", "not found: /g", "/g");
    },
    "edit",
  );
  that(
    "imports many files",
    { "/old": "x" },
    async (tree) => {
      await tree.writeMany([
        ["/old", "new"],
        ["/i/a", "1"],
        ["/i/b", Uint8Array.of(0)],
      ]);
      expect(await pathsOf(tree.list())).toEqual(["/i", "/i/a", "/i/b", "/old"]);
      expect([await tree.read("/old"), await tree.read("/i/b")]).toEqual(["new", Uint8Array.of(0)]);
    },
    "edit",
  );
}

function snapshotCases(that: Case): void {
  that(
    "gives the tree as it was when asked",
    { "/a": "1" },
    async (tree) => {
      if (!isVersionedTree(tree)) throw new Error("not versioned");
      const before = await tree.snapshot();
      expect([...before.files()].map(([path, file]) => [path, file.hash, file.sizeBytes])).toEqual([
        ["/a", memoryFile("1", 0).hash, 1],
      ]);
    },
    "snapshot",
  );
  that(
    "is told of every change, and changes no snapshot taken before",
    { "/a": "1" },
    async (tree) => {
      if (!isVersionedTree(tree) || !isEditableDisk(tree)) throw new Error("not an editable versioned tree");
      const before = await tree.snapshot();
      let told = 0;
      const end = tree.subscribe(() => told++);
      await tree.write("/b", "2");
      expect(told).toBeGreaterThan(0);
      end();
      const toldBefore = told;
      await tree.delete("/a");
      expect(told).toBe(toldBefore);
      expect([...before.walk()].map(([path]) => path)).toEqual(["/a"]);
      expect([...(await tree.snapshot()).walk()].map(([path]) => path)).toEqual(["/b"]);
    },
    "snapshot",
  );
}

export async function entriesOf<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

export async function pathsOf(entries: AsyncIterable<DirEntry>): Promise<string[]> {
  return (await entriesOf(entries)).map(({ path }) => path);
}

/** Expects the promise to fail with exactly this error; a message of `undefined` is not looked at. */
export async function expectError(
  promise: Promise<unknown>,
  code: PathErrorCode,
  message: string | undefined,
  path: string,
): Promise<void> {
  const error: unknown = await promise.then(
    () => new Error("nothing was thrown"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PathError)) throw error;
  expect({ code: error.code, message: message && error.message, path: error.path }).toEqual({ code, message, path });
}
