import { isUnder, type SnapshotTree } from "../fs";
import type { ProjectDocument } from "./projectDocument";
import { directoriesAbove } from "./directoriesAbove";

/** What of the file tree is open, and where a person is in it. */
export interface TreeSelection {
  readonly expanded: ReadonlySet<string>;
  readonly selected: string | undefined;

  readonly setExpanded: (path: string, expanded: boolean) => void;
  /** Opens a directory with all below it, or closes all of them. */
  readonly setAllExpanded: (path: string, expanded: boolean) => void;
  readonly select: (path: string | undefined) => void;
  /** Selects a path with every directory above it open. */
  readonly reveal: (path: string) => void;
}

type Shown = Pick<TreeSelection, "expanded" | "selected">;

/** Mounts are open, and so is the way to the document that is shown. */
export function shownAtFirst({ mounts, activeDocument }: ProjectDocument): Shown {
  const isFile = activeDocument?.startsWith("/") ?? false;
  const paths = mounts.flatMap(({ prefix }) => [prefix, ...directoriesAbove(prefix)]);
  return {
    expanded: new Set(isFile ? [...paths, ...directoriesAbove(activeDocument ?? "/")] : paths),
    selected: isFile ? activeDocument : undefined,
  };
}

export function treeSelection(
  set: (shown: Partial<Shown>) => void,
  get: () => Shown & { readonly snapshot: SnapshotTree },
): Omit<TreeSelection, keyof Shown> {
  return {
    setExpanded(path, expanded) {
      const next = new Set(get().expanded);
      if (expanded) next.add(path);
      else next.delete(path);
      set({ expanded: next });
    },
    setAllExpanded(path, expanded) {
      if (expanded) {
        const below = Array.from(directoriesBelow(get().snapshot, path));
        return set({ expanded: new Set([...get().expanded, path, ...below]) });
      }
      return set({ expanded: new Set([...get().expanded].filter((open) => !isUnder(open, path))) });
    },
    select: (selected) => set({ selected }),
    reveal(path) {
      const expanded = new Set(get().expanded);
      for (const ancestor of directoriesAbove(path)) expanded.add(ancestor);
      set({ expanded, selected: path });
    },
  };
}

function* directoriesBelow(snapshot: SnapshotTree, directory: string): Generator<string> {
  for (const [path, { kind }] of snapshot.walk(directory)) if (kind === "directory") yield path;
}
