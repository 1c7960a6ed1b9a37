import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256HexSync } from "../../base";
import { memoryFile } from "../memoryFile";
import { versionId } from "../mirror/versionId";
import { SnapshotTree } from "../snapshotTree";
import { ContentStore } from "./contentStore";
import { DamagedRecordError } from "./damagedRecordError";
import { treeFromImage } from "./imageTree";
import { memoryRecords } from "./memoryRecords";
import { StoredFile } from "./storedFile";
import { imageFromRecord, imageFromTree, type TreeImage } from "./treeImage";

const store = new ContentStore(memoryRecords());

const noPlace = () => undefined;

/** What a tree says of itself, entry by entry. */
function toldBy(tree: SnapshotTree): unknown[] {
  return [...tree.walk()].map(([path, entry]) =>
    entry.kind === "file"
      ? [path, entry.hash, entry.sizeBytes, entry.modifiedAt]
      : [path, entry.isExplicit, entry.fileCount, entry.sizeBytes],
  );
}

function throughStore(tree: SnapshotTree): SnapshotTree {
  return treeFromImage(imageFromRecord(structuredClone(imageFromTree(tree, noPlace))), store);
}

const names = fc.constantFrom("a", "a-b", "b", "\ufeffmark", "é", "e\u0301", "🙂", "Z", "a.ts", "_");
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);

function grown(steps: readonly (readonly [path: string, text: string | null])[]): SnapshotTree {
  let tree = SnapshotTree.empty;
  for (const [path, text] of steps) {
    try {
      tree = text === null ? tree.withDirectory(path) : tree.withFile(path, memoryFile(text, text.length * 1e12));
    } catch {
      // A file where a directory would be, or the other way about: this step is left out.
    }
  }
  return tree;
}

test("a tree comes back from its image as it was, and goes on as it would have", async () => {
  const steps = fc.array(fc.tuple(paths, fc.option(fc.string({ maxLength: 3 }))), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const tree = grown(before);
      const again = throughStore(tree);
      expect([again.fileCount, again.sizeBytes]).toEqual([tree.fileCount, tree.sizeBytes]);
      expect(toldBy(again)).toEqual(toldBy(tree));
      expect(await again.rootHash()).toBe(await tree.rootHash());
      // A second image is made of what was not looked into yet, too.
      expect(toldBy(throughStore(throughStore(tree)))).toEqual(toldBy(tree));
      const edit = (edited: SnapshotTree) =>
        after.reduce((left, [path]) => left.without(path), edited.withSubtree("/new", tree));
      expect(toldBy(edit(throughStore(tree)))).toEqual(toldBy(edit(tree)));
    }),
    { numRuns: 150 },
  );
});

test("files that are named by a version keep that name", () => {
  const id = versionId("scope", "/x", "7");
  const hash = sha256HexSync("plain");
  const tree = SnapshotTree.empty.withFiles([
    ["/d/elsewhere", new StoredFile(store, { hash: id, sizeBytes: 5, modifiedAt: 1 })],
    ["/d/here", new StoredFile(store, { hash, sizeBytes: 6, modifiedAt: 2 })],
  ]);
  expect([...throughStore(tree).files()].map(([path, file]) => [path, file.hash])).toEqual([
    ["/d/elsewhere", id],
    ["/d/here", hash],
  ]);
});

test("an image that was changed anywhere is said to be damaged", () => {
  const tree = grown([
    ["/a/b", "text"],
    ["/a/c", "more"],
    ["/d", null],
  ]);
  const columns = [
    "names",
    "kinds",
    "directories",
    "directorySizes",
    "hashes",
    "sizes",
    "times",
    "packs",
    "packOffsets",
  ] as const;
  for (const column of columns) {
    const image = structuredClone<TreeImage>(imageFromTree(tree, noPlace));
    const bytes = new Uint8Array(image[column].buffer);
    for (let at = 0; at < bytes.length; at += 3) {
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      expect(() => imageFromRecord(image), `${column} ${at}`).toThrow(DamagedRecordError);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
    }
    expect(imageFromRecord(image)).toBe(image);
  }
});
