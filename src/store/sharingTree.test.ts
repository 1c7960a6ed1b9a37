import { describe, expect, it } from "vitest";
import { seededRandom } from "../base";
import { diffTrees, memoryFile, SnapshotTree } from "../fs";
import { sharingTree } from "./sharingTree";

const random = seededRandom("sharing");

/** Trees of few names, so that files and folders come to stand in each other's place. */
function someTree(): SnapshotTree {
  let tree = SnapshotTree.empty;
  for (let file = 0; file < 12; file++) {
    const path = `/${"ab"[Math.floor(random() * 2)]}${random() < 0.5 ? "" : `/${"cd"[Math.floor(random() * 2)]}${random() < 0.5 ? "" : "/e"}`}`;
    try {
      tree =
        random() < 0.2
          ? tree.withDirectory(path)
          : tree.withFile(path, memoryFile(String(Math.floor(random() * 3)), file));
    } catch {
      tree = tree.without(path);
    }
  }
  return tree;
}

describe("sharingTree", () => {
  it("has the files of the one tree and the parts of the other", async () => {
    const many = Array.from(
      { length: 3_000 },
      (_, index) => [`/d${index % 5}/${index}`, memoryFile(String(index), 0)] as const,
    );
    const before = SnapshotTree.empty.withFiles(many).withFile("/d1/own", memoryFile("own", 0));
    const after = SnapshotTree.empty.withFiles(many).withFile("/d2/new", memoryFile("new", 0)).without("/d3/8");
    const shared = await sharingTree(before, after);
    expect(diffTrees(before, shared)).toEqual([]);
    expect(shared.entry("/d0")).toBe(after.entry("/d0"));
    expect(shared.entry("/d2")).not.toBe(after.entry("/d2"));
  });

  it("has them whatever stands where", async () => {
    for (let round = 0; round < 500; round++) {
      const [before, after] = [someTree(), someTree()];
      expect(diffTrees(before, await sharingTree(before, after))).toEqual([]);
    }
  });
});
