import { expect } from "vitest";
import { isEditableDisk } from "./commitEdits";
import { memoryFile } from "./memoryFile";
import { expectError, pathsOf, type Case } from "./suiteCase.suite";
import { isVersionedTree } from "./versionedTree";

export function writeCases(that: Case): void {
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

export function deleteCases(that: Case): void {
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

export function pathCases(that: Case): void {
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
    "long names",
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

export function editCases(that: Case): void {
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

export function snapshotCases(that: Case): void {
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
