import { describe, expect, test } from "vitest";
import { sha256HexSync } from "../../base";
import { memoryFile, SnapshotTree } from "../../fs";
import { binarySnapshot } from "./binarySnapshot";
import { treeFromSnapshot } from "./snapshotReader.suite";

describe("a binary snapshot", () => {
  test("is MessagePack of names and bytes", async () => {
    const tree = SnapshotTree.empty.withFile("/a/b", memoryFile("hi", 0)).withDirectory("/c");
    const hex = Array.from(await binarySnapshot(tree), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    expect(hex).toBe("81 a1 64 82 a1 61 81 a1 64 81 a1 62 81 a1 66 81 a1 63 c4 02 68 69 a1 63 81 a1 64 80");
  });

  test("holds many names, long ones, and contents of every size", async () => {
    const sizes = [0, 255, 256, 65_535, 65_536];
    const names = [
      "zero",
      ...Array.from({ length: 16 }, (_, index) => `name-${index}`),
      "n".repeat(31),
      "n".repeat(32),
      "é".repeat(100),
      "n".repeat(255),
    ];
    let tree = SnapshotTree.empty;
    const expected: string[] = [];
    for (const [index, name] of names.entries()) {
      const bytes = new Uint8Array(sizes[index % sizes.length] ?? 0).fill(index);
      tree = tree.withFile(`/${name}`, memoryFile(bytes, 0));
      expected.push(`${name} ${bytes.length} ${sha256HexSync(bytes)}`);
    }
    const read = treeFromSnapshot(await binarySnapshot(tree)) as { d: Record<string, { f: { c: Uint8Array } }> };
    const files = Object.entries(read.d).map(([name, { f }]) => `${name} ${f.c.length} ${sha256HexSync(f.c)}`);
    expect(files.toSorted()).toEqual(expected.toSorted());
  });
});
