import type { MountTable } from "./mountTable";
import { ancestorPaths } from "./path";
import { SnapshotTree } from "./snapshotTree";
import { directoryEntry, type DirectoryEntry } from "./treeEntry";
import { isVersionedTree, snapshotOf, type VersionedTree } from "./versionedTree";

/** A union as a value: the snapshots of its mounts grafted at their prefixes. The same object while no mount changes. */
export function unionSnapshots(table: MountTable): VersionedTree & { readonly isVersioned: boolean } {
  const mountRoots = new WeakMap<DirectoryEntry, SnapshotTree>();
  let latest: { readonly parts: readonly SnapshotTree[]; readonly whole: SnapshotTree } | undefined;
  /** A mount is a directory even when it holds nothing. */
  const asMount = (part: SnapshotTree): SnapshotTree => {
    const root = mountRoots.get(part.root) ?? new SnapshotTree(directoryEntry(part.root.children, true));
    mountRoots.set(part.root, root);
    return root;
  };
  return {
    isVersioned: table.mounts.every(({ tree }) => isVersionedTree(tree)),
    snapshot: async () => {
      const parts = await Promise.all(table.mounts.map(({ tree }) => snapshotOf(tree)));
      if (latest?.parts.every((part, index) => part.root === parts[index]?.root)) return latest.whole;
      let whole = SnapshotTree.empty;
      for (const [index, { prefix }] of table.mounts.entries()) {
        whole = grafted(whole, prefix, asMount(parts[index] ?? SnapshotTree.empty));
      }
      latest = { parts, whole };
      return whole;
    },
    subscribe: (listener) => {
      const ends = table.mounts.map(({ tree }) => (isVersionedTree(tree) ? tree.subscribe(listener) : undefined));
      return () => {
        for (const end of ends) end?.();
      };
    },
  };
}

function grafted(whole: SnapshotTree, prefix: string, part: SnapshotTree): SnapshotTree {
  // Where a mount has a file in the way of another mount, the way is a directory.
  const inTheWay = ancestorPaths(prefix).find((path) => whole.file(path) !== undefined);
  return (inTheWay === undefined ? whole : whole.without(inTheWay)).withSubtree(prefix, part);
}
