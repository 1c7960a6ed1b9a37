import { describe, expect, it } from "vitest";
import { diffTrees } from "./diffTrees";
import { memoryFile } from "./memoryFile";
import { SnapshotTree } from "./snapshotTree";
import type { FileEntry } from "./treeEntry";
import { namedByRecord, TreeLoader, treeRecords } from "./treeRecords";

/** A store of records and files in memory. */
function createStore() {
  const records = new Map<string, string>();
  const files = new Map<string, FileEntry>();
  return {
    records,
    loader: () =>
      new TreeLoader({
        record: async (id) => records.get(id),
        file: ({ hash, modifiedAt, sizeBytes }) => {
          const file = files.get(hash);
          return { kind: "file", hash, sizeBytes, modifiedAt, bytes: async () => file?.bytes() ?? new Uint8Array() };
        },
      }),
    async save(tree: SnapshotTree): Promise<number> {
      for (const [, file] of tree.files()) files.set(file.hash, file);
      const before = records.size;
      for await (const { id, text } of treeRecords(tree, (known) => records.has(known))) {
        for (const part of namedByRecord(text).recordIds) expect(records.has(part)).toBe(true);
        records.set(id, text);
      }
      return records.size - before;
    },
  };
}

const large = SnapshotTree.empty
  .withFiles(Array.from({ length: 3_000 }, (_, index) => [`/flat/${index} é`, memoryFile(`${index}`, index)] as const))
  .withFile("/a/b/c", memoryFile("deep", 5))
  .withDirectory("/empty");

const listing = (tree: SnapshotTree) =>
  [...tree.walk()].map(([path, entry]) =>
    entry.kind === "file" ? [path, entry.hash, entry.sizeBytes, entry.modifiedAt] : [path, entry.isExplicit],
  );

describe("tree records", () => {
  it("bring a tree back as it was", async () => {
    const store = createStore();
    await store.save(large);
    const loaded = await store.loader().load(await large.rootHash());
    expect(listing(loaded)).toEqual(listing(large));
    expect(await loaded.rootHash()).toBe(await large.rootHash());
    expect(diffTrees(loaded, large)).toEqual([]);
  });

  it("cost only what differs from a stored tree", async () => {
    const store = createStore();
    expect(await store.save(large)).toBeGreaterThan(60);
    const changed = large.withFile("/flat/77 é", memoryFile("changed", 1));
    expect(await store.save(changed)).toBeLessThan(30);
    expect(await store.save(large)).toBe(0);
  });

  it("are shared by the trees of one loader", async () => {
    const store = createStore();
    const changed = large.withFile("/a/b/c", memoryFile("changed", 1));
    await store.save(large);
    await store.save(changed);
    const loader = store.loader();
    const [one, two] = await Promise.all([loader.load(await large.rootHash()), loader.load(await changed.rootHash())]);
    expect(one.subtree("/flat").root.children).toBe(two.subtree("/flat").root.children);
    expect(diffTrees(one, two).map(({ path }) => path)).toEqual(["/a/b/c"]);
  });

  it("say when one is lost", async () => {
    const store = createStore();
    await store.save(large);
    store.records.delete(await large.subtree("/a").rootHash());
    await expect(store.loader().load(await large.rootHash())).rejects.toMatchObject({ code: "unavailable", path: "/" });
  });

  it("need none for an empty tree", async () => {
    const store = createStore();
    expect(await store.save(SnapshotTree.empty)).toBe(0);
    expect(listing(await store.loader().load(await SnapshotTree.empty.rootHash()))).toEqual([]);
  });
});
