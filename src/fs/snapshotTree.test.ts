import { describe, expect, it } from "vitest";
import { memoryFile } from "./memoryFile";
import { ConflictError, FileNotFoundError, InvalidPathError, NotADirectoryError, NotAFileError } from "./pathError";
import { SnapshotTree } from "./snapshotTree";

const file = (text: string) => memoryFile(text, 1);
const treeOf = (...paths: string[]) => SnapshotTree.empty.withFiles(paths.map((path) => [path, file(path)] as const));
const walked = (tree: SnapshotTree, prefix?: string) => [...tree.walk(prefix)].map(([path]) => path);

describe("SnapshotTree", () => {
  it("walks in plain string order of whole paths, directories at their names", () => {
    const tree = treeOf("/a/x", "/a-b/c", "/a-b-c", "/b", "/a.txt");
    expect(walked(tree)).toEqual(["/a", "/a-b", "/a-b-c", "/a-b/c", "/a.txt", "/a/x", "/b"]);
    expect(walked(tree, "/a-b")).toEqual(["/a-b/c"]);
    expect(walked(tree, "/b")).toEqual([]);
    expect(walked(tree, "/missing")).toEqual([]);
  });

  it("leaves the tree it was made from as it was and shares what it did not touch", () => {
    const before = treeOf("/a/x", "/b/y");
    const after = before.withFile("/a/z", file("z"));
    expect(walked(before)).toEqual(["/a", "/a/x", "/b", "/b/y"]);
    expect(walked(after)).toEqual(["/a", "/a/x", "/a/z", "/b", "/b/y"]);
    expect(after.entry("/b")).toBe(before.entry("/b"));
  });

  it("sums files and bytes at every level", () => {
    const tree = treeOf("/a/xx", "/a/b/c", "/d").without("/d");
    expect([tree.fileCount, tree.sizeBytes]).toEqual([2, 11]);
    expect(tree.entry("/a/b")).toMatchObject({ kind: "directory", fileCount: 1, sizeBytes: 6 });
  });

  it("drops directories that are emptied, unless they were made as such", () => {
    expect(walked(treeOf("/a/b/c").without("/a/b/c"))).toEqual([]);
    expect(walked(treeOf("/a/b/c").withDirectory("/a").without("/a/b/c"))).toEqual(["/a"]);
    expect(walked(SnapshotTree.empty.withDirectory("/e/f"))).toEqual(["/e", "/e/f"]);
  });

  it("refuses a file where a directory is and a directory where a file is", () => {
    const tree = treeOf("/a/b");
    expect(() => tree.withFile("/a", file(""))).toThrow(new NotAFileError("/a"));
    expect(() => tree.withFile("/", file(""))).toThrow(new NotAFileError("/"));
    expect(() => tree.withFile("/a/b/c", file(""))).toThrow(new NotADirectoryError("/a/b/c"));
    expect(() => tree.withDirectory("/a/b")).toThrow(new NotADirectoryError("/a/b"));
    expect(() => tree.withFiles([["/a/b/c/d", file("")]])).toThrow(new NotADirectoryError("/a/b/c/d"));
    expect(() => tree.withFiles([["/a", file("")]])).toThrow(new NotAFileError("/a"));
    expect(() => treeOf("/x", "/x/y")).toThrow(new NotADirectoryError("/x/y"));
    expect(() => treeOf("/x/y", "/x")).toThrow(new NotAFileError("/x"));
  });

  it("renames files and directories, onto nothing that is there", () => {
    const tree = treeOf("/a/b/c", "/d");
    expect(walked(tree.renamed("/a/b", "/e/f"))).toEqual(["/d", "/e", "/e/f", "/e/f/c"]);
    expect(tree.renamed("/d", "/d")).toBe(tree);
    expect(() => tree.renamed("/missing", "/x")).toThrow(new FileNotFoundError("/missing"));
    expect(() => tree.renamed("/d", "/a")).toThrow(new ConflictError("/a"));
    expect(() => tree.renamed("/a", "/a/b/x")).toThrow(new InvalidPathError("/a/b/x"));
    expect(() => tree.renamed("/a", "/d/x")).toThrow(new NotADirectoryError("/d/x"));
  });

  it("grafts a tree at a prefix and cuts it out again", () => {
    const grafted = treeOf("/a/old").withSubtree("/a", treeOf("/new"));
    expect(walked(grafted)).toEqual(["/a", "/a/new"]);
    expect(walked(grafted.subtree("/a"))).toEqual(["/new"]);
    expect(walked(grafted.subtree("/a/new"))).toEqual([]);
  });

  it("has one id for one content, whatever its history, and another for any other content", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `/d${index % 7}/file ${index * 7919}`);
    const built = treeOf(...names, "/big");
    let grown = treeOf("/big", "/gone/x");
    for (const name of names.toReversed()) grown = grown.withFile(name, memoryFile(name, 2));
    grown = grown.without("/gone/x");
    expect(await grown.rootHash()).toBe(await built.rootHash());
    const others = [
      built.withFile("/big", file("other")),
      built.without("/big"),
      built.renamed("/big", "/bigger"),
      built.without("/big").withDirectory("/big"),
      built.withDirectory("/empty"),
    ];
    const ids = await Promise.all([built, ...others].map((tree) => tree.rootHash()));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("keeps a name byte for byte: composed and decomposed are two files", () => {
    expect(walked(treeOf("/é", "/é".normalize("NFD"), "/🙂 x", "/z"))).toEqual([
      "/é".normalize("NFD"),
      "/z",
      "/é",
      "/🙂 x",
    ]);
  });

  it("walks a large flat directory in order and lazily", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `/flat/${(index * 7919) % 20_011}`);
    const tree = treeOf(...names);
    expect(walked(tree).slice(1)).toEqual([...names].toSorted());
    expect(tree.walk().next().value?.[0]).toBe("/flat");
  });
});
