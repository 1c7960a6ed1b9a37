import { isUnder, type SnapshotTree } from "../fs";
import { mountAt } from "./mountAt";
import type { MountSource } from "./mountRecord";

/** Mounts, and what is in each by its id; for the tree of a past moment the latter may be unknown. */
export interface MountedTrees {
  readonly mounts: readonly { readonly id: string; readonly prefix: string; readonly source?: MountSource }[];
  readonly trees?: ReadonlyMap<string, SnapshotTree>;
}

/** An entry that is there and not seen. */
export interface HiddenEntry {
  /** The prefix of the mount that hides it. */
  readonly by: string;
  /** The prefix of the mount it is in. */
  readonly of: string;
}

interface Covered {
  readonly mount: MountedTrees["mounts"][number];
  readonly by: string;
  readonly tree: SnapshotTree;
  /** The path as the covered mount knows it. */
  readonly inner: string;
}

/** The mounts that could have something at a path if another did not stand before them, the nearest first. */
function* coveredAt({ mounts, trees }: MountedTrees, path: string): Generator<Covered> {
  const owner = mountAt(mounts, path);
  if (!owner || !trees) return;
  const outer = mounts.filter((mount) => mount.prefix.length < owner.prefix.length && isUnder(path, mount.prefix));
  for (const mount of outer.toSorted((a, b) => b.prefix.length - a.prefix.length)) {
    const tree = trees.get(mount.id);
    const inner = mount.prefix === "/" ? path : path.slice(mount.prefix.length);
    if (tree) yield { mount, by: owner.prefix, tree, inner };
  }
}

/** What another mount hides at a path. */
export function hiddenEntry(mounted: MountedTrees, path: string): HiddenEntry | undefined {
  for (const { mount, by, tree, inner } of coveredAt(mounted, path)) {
    if (tree.entry(inner)) return { by, of: mount.prefix };
  }
  return undefined;
}

/** Which layer of an overlay has a file. */
export interface ServingLayer {
  readonly mountId: string;
  /** The prefix of the layer whose file of the same path it hides. */
  readonly hides: string | undefined;
}

/** The layer that serves a file of an overlay; nothing for a file of any other mount. */
export function servingLayer({ mounts, trees }: MountedTrees, path: string): ServingLayer | undefined {
  const mount = mountAt(mounts, path);
  if (mount?.source?.kind !== "overlay") return undefined;
  const inner = mount.prefix === "/" ? path : path.slice(mount.prefix.length);
  const [serving, hidden] = [mount.source.upper, mount.source.lower].flatMap((id) =>
    mounts.filter((layer) => layer.id === id && trees?.get(id)?.file(inner) !== undefined),
  );
  return serving && { mountId: serving.id, hides: hidden?.prefix };
}

/** An entry that another mount hides. */
export interface HiddenChild {
  readonly kind: "file" | "directory";
  /** The mount it is in. */
  readonly mountId: string;
  /** The prefix of the mount that hides it. */
  readonly by: string;
}

/** The entries of a directory that another mount hides, by name. */
export function hiddenChildren(mounted: MountedTrees, directory: string): Map<string, HiddenChild> {
  const byName = new Map<string, HiddenChild>();
  for (const { mount, by, tree, inner } of coveredAt(mounted, directory)) {
    for (const { name, entry } of tree.children(inner))
      if (!byName.has(name)) byName.set(name, { kind: entry.kind, mountId: mount.id, by });
  }
  return byName;
}

/** What mounts that are hidden at a path have there, the nearest first. */
export function coveredEntries(mounted: MountedTrees, path: string): ReturnType<SnapshotTree["entry"]>[] {
  return Array.from(coveredAt(mounted, path), ({ tree, inner }) => tree.entry(inner));
}
