import type { FileSystem } from "./fileSystem";
import { OverlayRound } from "./overlayRound";
import { ancestorPaths } from "./path";
import { SnapshotTree } from "./snapshotTree";
import { isVersionedTree, snapshotOf, type VersionedTree } from "./versionedTree";

/** An overlay as a value: each layer laid over those below it. The same object while no layer changes. */
export function overlaySnapshots(layers: readonly FileSystem[]): VersionedTree & { readonly isVersioned: boolean } {
  let latest: { readonly parts: readonly SnapshotTree[]; readonly whole: SnapshotTree } | undefined;
  return {
    isVersioned: layers.every((tree) => isVersionedTree(tree)),
    snapshot: async () => {
      const round = new OverlayRound();
      const parts = await Promise.all(
        layers.map(async (tree, layer) => (await round.answerOf(layer, () => snapshotOf(tree))) ?? SnapshotTree.empty),
      );
      round.end();
      if (latest?.parts.every((part, index) => part.root === parts[index]?.root)) return latest.whole;
      const whole = parts.reduceRight((below, part) => laidOver(part, below), SnapshotTree.empty);
      latest = { parts, whole };
      return whole;
    },
    subscribe: (listener) => {
      const ends = layers.map((tree) => (isVersionedTree(tree) ? tree.subscribe(listener) : undefined));
      return () => {
        for (const end of ends) end?.();
      };
    },
  };
}

function laidOver(upper: SnapshotTree, lower: SnapshotTree): SnapshotTree {
  if (lower.root === SnapshotTree.empty.root) return upper;
  let whole = lower;
  const checked = new Set<string>();
  for (const [path, entry] of upper.walk()) {
    if (entry.kind === "directory") continue;
    if (whole.entry(path)?.kind === "directory") whole = whole.without(path);
    for (const above of ancestorPaths(path)) {
      if (checked.has(above)) continue;
      checked.add(above);
      if (whole.file(above) !== undefined) whole = whole.without(above);
    }
  }
  whole = whole.withFiles(upper.files());
  for (const [path, entry] of upper.walk()) {
    if (entry.kind === "directory" && entry.isExplicit) {
      whole = (whole.file(path) === undefined ? whole : whole.without(path)).withDirectory(path);
    }
  }
  return whole;
}
