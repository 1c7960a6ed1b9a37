import { childDifferences, isUnder, type SnapshotTree } from "../fs";
import type { ChangeIndex } from "./changeIndex";
import { coveredEntries, hiddenChildren, type HiddenChild, type MountedTrees } from "./hiddenEntries";
import { changedNames, placeOfName, sortedNames, type SortedNames } from "./sortedNames";

export interface ListedTree extends MountedTrees {
  readonly snapshot: SnapshotTree;
  readonly changes: ChangeIndex;
}

/** What a row shows of one child of a directory. */
export interface ListedChild {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly isGone: boolean;
  /** Of an entry that another mount hides: by which, and whose it is. */
  readonly hidden: HiddenChild | undefined;
}

type Entry = ReturnType<SnapshotTree["entry"]>;

/** Children that the merged tree does not have: gone since the run began, hidden by a mount, or mounts with nothing in them. */
type FurtherChildren = ReadonlyMap<string, ListedChild>;

const NONE_FURTHER: FurtherChildren = new Map();

/**
 * What is in a directory now, mount points with nothing in them included, what was in it when the run began, and what
 * another mount hides there; directories before files.
 */
export class TreeListing {
  readonly length: number;
  /**
   * Whether what is below is the tree's own alone: nothing is hidden and no mount stands there. While the listing is the
   * same, all below it then is.
   */
  readonly isPlain: boolean;
  readonly #directories: SortedNames;
  readonly #files: SortedNames;
  readonly #further: FurtherChildren;
  /** The same lists without the further children. */
  readonly #own: { readonly entry: Entry; readonly directories: SortedNames; readonly files: SortedNames };
  /** All that it was made of. */
  readonly #sources: readonly unknown[];

  private constructor(own: OwnNames, further: FurtherChildren, sources: readonly unknown[], isPlain: boolean) {
    this.isPlain = isPlain;
    this.#own = own;
    this.#further = further;
    this.#sources = sources;
    this.#directories = withFurther(own.directories, further, "directory");
    this.#files = withFurther(own.files, further, "file");
    this.length = this.#directories.length + this.#files.length;
  }

  /** The listing of a directory; the one from before where nothing of it changed, and else made from it. */
  static of(tree: ListedTree, directory: string, last: TreeListing | undefined): TreeListing {
    const entry = tree.snapshot.entry(directory);
    const mountPoints = mountPointsIn(tree, directory);
    const covered = coveredEntries(tree, directory);
    const before = tree.changes.entryBefore(directory);
    const sources = [entry, before, mountPoints.join("/"), ...covered];
    if (last && last.#sources.length === sources.length && last.#sources.every((part, at) => part === sources[at]))
      return last;
    const isPlain = mountPoints.length === 0 && covered.every((hidden) => hidden === undefined);
    const hasMore = !isPlain || (before !== undefined && before !== entry);
    const further = hasMore ? furtherChildren(tree, directory, mountPoints) : NONE_FURTHER;
    return new TreeListing(ownNames(entry, last && last.#own), further, sources, isPlain);
  }

  get(place: number): ListedChild | undefined {
    const isDirectory = place < this.#directories.length;
    const name = isDirectory ? this.#directories[place] : this.#files[place - this.#directories.length];
    if (name === undefined) return undefined;
    return (
      this.#further.get(name) ?? { name, kind: isDirectory ? "directory" : "file", isGone: false, hidden: undefined }
    );
  }

  /** The places of the directories that `names` has. */
  directoriesIn(names: ReadonlyMap<string, unknown>): number[] {
    // Many names are found sooner by a look at each directory.
    if (names.size * 8 > this.#directories.length) {
      const places: number[] = [];
      for (const [place, name] of this.#directories.entries()) if (names.has(name)) places.push(place);
      return places;
    }
    const places = Array.from(names.keys(), (name) => placeOfName(this.#directories, name));
    return places.filter((place) => place >= 0).toSorted((a, b) => a - b);
  }

  /** Where a child stands; -1 when there is none of the name. */
  placeOf(name: string): number {
    const place = placeOfName(this.#directories, name);
    if (place >= 0) return place;
    const among = placeOfName(this.#files, name);
    return among < 0 ? -1 : this.#directories.length + among;
  }
}

/** The only child of a directory, when it has just one. */
export function onlyChild(tree: ListedTree, directory: string): ListedChild | undefined {
  const entry = tree.snapshot.entry(directory);
  const covered = coveredEntries(tree, directory);
  const isCrowded = (one: Entry) => one?.kind === "directory" && (one.children?.count ?? 0) > 1;
  if (isCrowded(entry) || covered.some(isCrowded)) return undefined;
  const listing = TreeListing.of(tree, directory, undefined);
  return listing.length === 1 ? listing.get(0) : undefined;
}

interface OwnNames {
  readonly entry: Entry;
  readonly directories: SortedNames;
  readonly files: SortedNames;
}

function ownNames(entry: Entry, last: OwnNames | undefined): OwnNames {
  if (last && last.entry === entry) return last;
  const differences = childDifferences(last?.entry, entry);
  const had = (last?.directories.length ?? 0) + (last?.files.length ?? 0);
  const changed = (before: SortedNames, kind: "file" | "directory") => {
    const gone = differences.filter((child) => child.before?.kind === kind && child.after?.kind !== kind);
    const come = differences.filter((child) => child.after?.kind === kind && child.before?.kind !== kind);
    const [goneNames, comeNames] = [gone.map(({ name }) => name), come.map(({ name }) => name)];
    return had === 0 ? sortedNames(comeNames) : changedNames(before, goneNames, comeNames);
  };
  return {
    entry,
    directories: changed(last?.directories ?? [], "directory"),
    files: changed(last?.files ?? [], "file"),
  };
}

function withFurther(names: SortedNames, further: FurtherChildren, kind: "file" | "directory"): SortedNames {
  if (further.size === 0) return names;
  const come = [...further.values()].filter((child) => child.kind === kind);
  return changedNames(
    names,
    [],
    come.map(({ name }) => name),
  );
}

/** The names under which mounts stand below a directory. */
function mountPointsIn({ mounts }: ListedTree, directory: string): string[] {
  const names = new Set<string>();
  for (const { prefix } of mounts) {
    if (prefix === "/" || prefix === directory || !isUnder(prefix, directory)) continue;
    names.add(prefix.slice(directory === "/" ? 1 : directory.length + 1).split("/")[0] ?? "");
  }
  return [...names];
}

function furtherChildren(tree: ListedTree, directory: string, mountPoints: readonly string[]): FurtherChildren {
  const own = tree.snapshot.subtree(directory);
  const further = new Map<string, ListedChild>();
  const add = (child: ListedChild) => {
    if (own.entry(`/${child.name}`) === undefined) further.set(child.name, child);
  };
  for (const [name, hidden] of hiddenChildren(tree, directory)) add({ name, kind: hidden.kind, isGone: false, hidden });
  for (const [name, kind] of tree.changes.goneNames(directory)) add({ name, kind, isGone: true, hidden: undefined });
  for (const name of mountPoints) add({ name, kind: "directory", isGone: false, hidden: undefined });
  return further.size === 0 ? NONE_FURTHER : further;
}
