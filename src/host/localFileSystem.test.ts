import { expect, test } from "vitest";
import { isVersionedTree, tempFs, unionFs } from "../fs";
import { localFileSystem } from "./localFileSystem";

async function paths(items: AsyncIterable<{ readonly path: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of items) found.push(path);
  return found;
}

test("A relative path begins at the directory, an absolute one is the host's; results are paths of the host", async () => {
  const disk = unionFs({ "/home/project": tempFs({ "/a.txt": "one\n", "/app/b.txt": "two\n", "/app/c.md": "two\n" }) });
  const tree = localFileSystem({ cwd: "/home/project/app", disk });
  expect([await tree.read("b.txt"), await tree.read("../a.txt"), await tree.read("/home/project/a.txt")]).toEqual([
    "two\n",
    "one\n",
    "one\n",
  ]);
  expect((await tree.stat("x")).kind).toBe("missing");
  expect(await paths(tree.list())).toEqual(["/home/project/app/b.txt", "/home/project/app/c.md"]);
  expect(await paths(tree.list("/home/project"))).toEqual([
    "/home/project/a.txt",
    "/home/project/app",
    "/home/project/app/b.txt",
    "/home/project/app/c.md",
  ]);
  expect(await paths(tree.glob("*.md"))).toEqual(["/home/project/app/c.md"]);
  expect(await paths(tree.grep({ pattern: "two", glob: "*.txt" }))).toEqual(["/home/project/app/b.txt"]);
  await tree.write("new/d.txt", "d");
  await tree.delete("b.txt");
  expect(await paths(disk.glob("**/*.txt"))).toEqual(["/home/project/a.txt", "/home/project/app/new/d.txt"]);
});

test("What is to be searched must be there", async () => {
  const disk = tempFs({ "/a.txt": "one\n" });
  const tree = localFileSystem({ cwd: "/", disk });
  await expect(paths(tree.grep({ pattern: "one", path: "missing" }))).rejects.toMatchObject({
    code: "not-found",
    message: "not found: /missing",
  });
  expect([await paths(tree.list("missing")), await paths(tree.glob("*", "missing"))]).toEqual([[], []]);
});

test("It has no index, and is versioned where the disk is", async () => {
  const disk = tempFs({ "/a.txt": "words" });
  const tree = localFileSystem({ cwd: "/", disk });
  expect([await paths(tree.search({ query: "words" })), isVersionedTree(tree)]).toEqual([[], true]);
  expect((await tree.snapshot()).file("/a.txt")?.hash).toBe((await disk.snapshot()).file("/a.txt")?.hash);
});
