import { parentPath } from "../fs";
import { hiddenEntry, servingLayer } from "./hiddenEntries";
import { mountAt } from "./mountAt";
import { onlyChild, TreeListing, type ListedChild, type ListedTree } from "./treeListing";

/** One line of the file tree. */
export interface TreeRow {
  readonly path: string;
  /** A chain of directories that hold one directory each is one row: `agent / skills`. */
  readonly names: readonly string[];
  readonly kind: "file" | "directory";
  /** From 1. */
  readonly level: number;
  readonly expanded: boolean;
  readonly position: number;
  readonly setSize: number;
  readonly mountId: string | undefined;
  /** Whether a mount stands exactly here. */
  readonly isMount: boolean;
  readonly mark: "A" | "M" | "D" | "inside" | undefined;
  readonly isGone: boolean;
  /** The prefix of the mount that keeps it from being seen; nothing can be done with it here. */
  readonly hiddenBy: string | undefined;
  /** The prefix of a mount that has a file at this path too, which is not seen for this row's. */
  readonly hides: string | undefined;
  /** In an overlay: the mount whose file it is. */
  readonly layerId: string | undefined;
}

export interface TreeRowsInput extends ListedTree {
  readonly expanded: ReadonlySet<string>;
}

/** An open directory with what is open in it. */
interface Branch {
  readonly directory: string;
  readonly level: number;
  readonly listing: TreeListing;
  /** Which of the directories in it are open. */
  readonly opened: OpenedNames;
  /** By place in the listing. */
  readonly open: readonly OpenChild[];
  /** Rows of all that is in it. */
  readonly length: number;
}

interface LocatedRow {
  readonly branch: Branch;
  readonly place: number;
  /** The names of a row that is open. */
  readonly names?: readonly string[];
}

interface OpenChild {
  readonly place: number;
  /** The row of the branch at which the child itself stands. */
  readonly row: number;
  readonly names: readonly string[];
  readonly branch: Branch;
}

const MARKS = { added: "A", modified: "M", deleted: "D" } as const;

/** The rows in view order: directories before files, then by name. Made from the last ones, they cost only what changed. */
export function treeRows(input: TreeRowsInput, last?: TreeRows): TreeRows {
  return new TreeRows(input, last);
}

/** Makes rows again and again, each time from the last ones. */
export function treeRowsMaker(): (input: TreeRowsInput) => TreeRows {
  let last: TreeRows | undefined;
  return (input) => (last = treeRows(input, last));
}

/**
 * The rows of the file tree, each made when it is asked for: a listing is kept of each directory that is open, and nothing
 * of the rows themselves, of which there may be a hundred thousand.
 */
export class TreeRows implements Iterable<TreeRow> {
  readonly length: number;
  readonly #input: TreeRowsInput;
  readonly #root: Branch;

  constructor(input: TreeRowsInput, last?: TreeRows) {
    this.#input = input;
    const isAsOpen = last !== undefined && last.#input.expanded === input.expanded;
    const opened = isAsOpen ? last.#root.opened : openedNames(input.expanded);
    this.#root = this.#branch("/", 1, opened, last && last.#root);
    this.length = this.#root.length;
  }

  get(index: number): TreeRow | undefined {
    const found = this.#locate(index);
    return found && this.#row(found);
  }

  /** The last of a row's names; empty when there is no such row. */
  nameAt(index: number): string {
    const found = this.#locate(index);
    const child = found?.branch.listing.get(found.place);
    if (!found || !child) return "";
    return (found.names ?? this.#chain(found.branch.directory, child).names).at(-1) ?? "";
  }

  /** The row of a path; -1 when it is not in view. */
  indexOf(path: string): number {
    let branch = this.#root;
    for (let offset = 0; ;) {
      const rest = branch.directory === "/" ? path.slice(1) : path.slice(branch.directory.length + 1);
      const place = branch.listing.placeOf(rest.split("/")[0] ?? "");
      if (place < 0) return -1;
      const above = lastWhere(branch.open, (open) => open.place <= place);
      const row = above === undefined ? place : above.row + place - above.place + above.branch.length;
      if (above?.place === place) {
        if (path === above.branch.directory) return offset + above.row;
        if (!path.startsWith(`${above.branch.directory}/`)) return -1;
        offset += above.row + 1;
        branch = above.branch;
        continue;
      }
      return this.#row({ branch, place })?.path === path ? offset + row : -1;
    }
  }

  /** The row of the nearest directory above a path that has one; -1 when there is none. */
  indexAbove(path: string): number {
    for (let above = parentPath(path); above !== "/"; above = parentPath(above)) {
      const index = this.indexOf(above);
      if (index >= 0) return index;
    }
    return -1;
  }

  /** The first row after a path's and all that is open below it; the number of rows when it is the last. */
  indexBelow(path: string): number {
    const index = this.indexOf(path);
    const found = this.#locate(index);
    const open = found?.branch.open.find(({ place }) => place === found.place);
    return index < 0 ? this.length : index + 1 + (open?.branch.length ?? 0);
  }

  *[Symbol.iterator](): Generator<TreeRow, void, undefined> {
    for (let index = 0; index < this.length; index++) {
      const row = this.get(index);
      if (row) yield row;
    }
  }

  #locate(index: number): LocatedRow | undefined {
    let [branch, row] = [this.#root, index];
    if (row < 0 || row >= branch.length) return undefined;
    for (;;) {
      const above = lastWhere(branch.open, (open) => open.row <= row);
      if (above === undefined) return { branch, place: row };
      if (above.row === row) return { branch, place: above.place, names: above.names };
      const below = row - above.row - 1;
      if (below >= above.branch.length) return { branch, place: above.place + 1 + below - above.branch.length };
      branch = above.branch;
      row = below;
    }
  }

  #branch(directory: string, level: number, opened: OpenedNames, last: Branch | undefined): Branch {
    const listing = TreeListing.of(this.#input, directory, last?.listing);
    const isAsItWas = last?.listing === listing && last.opened === opened && last.level === level;
    if (isAsItWas && listing.isPlain) return last;
    const lastBelow = new Map(last?.open.map(({ branch }) => [branch.directory, branch]));
    const open: OpenChild[] = [];
    let further = 0;
    for (const place of listing.directoriesIn(opened.below)) {
      const child = listing.get(place);
      if (!child) continue;
      const { path, names } = this.#chain(directory, child);
      const end = names.reduce<OpenedNames | undefined>((inner, name) => inner?.below.get(name), opened);
      if (!end?.isOpen) continue;
      const branch = this.#branch(path, level + 1, end, lastBelow.get(path));
      open.push({ place, row: place + further, names, branch });
      further += branch.length;
    }
    return { directory, level, listing, opened, open, length: listing.length + further };
  }

  /** A child with the directories it holds alone. */
  #chain(directory: string, child: ListedChild): { readonly path: string; readonly names: readonly string[] } {
    let path = directory === "/" ? `/${child.name}` : `${directory}/${child.name}`;
    const names = [child.name];
    if (child.kind === "file" || child.isGone) return { path, names };
    for (;;) {
      const here = path;
      const only = this.#input.mounts.some(({ prefix }) => prefix === here) ? undefined : onlyChild(this.#input, path);
      const goesOn =
        only?.kind === "directory" && !only.isGone && (only.hidden !== undefined) === (child.hidden !== undefined);
      if (!only || !goesOn) return { path, names };
      names.push(only.name);
      path = `${path}/${only.name}`;
    }
  }

  #row({ branch, place, names: openNames }: LocatedRow): TreeRow | undefined {
    const child = branch.listing.get(place);
    if (!child) return undefined;
    const { path, names } =
      openNames === undefined
        ? this.#chain(branch.directory, child)
        : { path: joined(branch.directory, openNames), names: openNames };
    const mount = mountAt(this.#input.mounts, path);
    const isPlainFile = child.kind === "file" && !child.isGone && child.hidden === undefined;
    const layer = isPlainFile ? servingLayer(this.#input, path) : undefined;
    return {
      path,
      names,
      kind: child.kind,
      level: branch.level,
      expanded: openNames !== undefined,
      position: place + 1,
      setSize: branch.listing.length,
      mountId: child.hidden?.mountId ?? mount?.id,
      isMount: mount?.prefix === path,
      mark: child.hidden ? undefined : this.#mark(path, child),
      isGone: child.isGone,
      hiddenBy: child.hidden?.by,
      hides: layer?.hides ?? (isPlainFile ? hiddenEntry(this.#input, path)?.of : undefined),
      layerId: layer?.mountId,
    };
  }

  #mark(path: string, child: ListedChild): TreeRow["mark"] {
    const { changes } = this.#input;
    const kind = child.kind === "file" ? changes.kindAt(path) : undefined;
    if (kind) return MARKS[kind];
    if (child.isGone) return "D";
    return child.kind === "directory" && changes.isChangedBelow(path) ? "inside" : undefined;
  }
}

/** The open directories as a tree of their names, so that each listing is asked only for what may be open in it. */
interface OpenedNames {
  isOpen: boolean;
  readonly below: Map<string, OpenedNames>;
}

function openedNames(expanded: ReadonlySet<string>): OpenedNames {
  const root: OpenedNames = { isOpen: true, below: new Map() };
  for (const path of expanded) {
    let at = root;
    for (const name of path.split("/")) {
      if (name === "") continue;
      let next = at.below.get(name);
      if (next === undefined) at.below.set(name, (next = { isOpen: false, below: new Map() }));
      at = next;
    }
    at.isOpen = true;
  }
  return root;
}

function joined(directory: string, names: readonly string[]): string {
  return `${directory === "/" ? "" : directory}/${names.join("/")}`;
}

function lastWhere<T>(sorted: readonly T[], isBefore: (value: T) => boolean): T | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle];
    if (value !== undefined && isBefore(value)) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

/** Where typing `text` leads from row `from`: the next row whose name begins with it, around the end; -1 for none. */
export function rowByTyping(rows: TreeRows, from: number, text: string): number {
  const wanted = text.toLowerCase();
  // A first letter moves on; further letters may stay where they are.
  const start = wanted.length === 1 ? from + 1 : from;
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length;
    if (rows.nameAt(index).toLowerCase().startsWith(wanted)) return index;
  }
  return -1;
}
