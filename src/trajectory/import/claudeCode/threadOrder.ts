import { isSpoken, messageIdOf, userKindOf, type Entry } from "./entry";

/** A conversation in order, and what was said in it before somebody went back and said something else. */
export interface OrderedThread {
  readonly entries: readonly Entry[];
  readonly branches: readonly Branch[];
}

export interface Branch {
  /** The entry after which it left the conversation. */
  readonly from: Entry;
  readonly thread: OrderedThread;
}

/** Branches of branches of …: past it what is left is taken in the order of the file. */
const DEEPEST = 40;

/**
 * The entries of one conversation along their `parentUuid`s: the chain that ends in the newest leaf, with the results and
 * notes that hang on it. An entry whose parent is not there follows the one before it in the file.
 */
export function orderedThread(entries: readonly Entry[], depth = 0): OrderedThread {
  const links = new Links(entries);
  const chain = links.chain();
  if (chain === undefined || depth >= DEEPEST) return { entries, branches: [] };
  const groups = groupsBeside(links, chain, entries);
  const chainIds = new Set<string | undefined>();
  for (const index of chain) chainIds.add(answerIdOf(entries[index]));
  const shown = new Set(chain);
  const branches: Branch[] = [];
  for (const [root, members] of groups) {
    const from = entries[links.parentOf(root) ?? -1];
    const own = members.flatMap((index) => entries[index] ?? []);
    if (from !== undefined && own.some((entry) => isOwnWord(entry, chainIds))) {
      branches.push({ from, thread: orderedThread(own, depth + 1) });
    } else for (const index of members) shown.add(index);
  }
  return { entries: links.inOrder(shown), branches };
}

function answerIdOf(entry: Entry | undefined): string | undefined {
  return entry?.type === "assistant" ? messageIdOf(entry.value) : undefined;
}

/** Whether an entry beside the chain says something of its own. Results of calls made side by side hang beside it too. */
function isOwnWord(entry: Entry, chainIds: ReadonlySet<string | undefined>): boolean {
  if (entry.type === "user") return userKindOf(entry.value) === "prompt";
  return entry.type === "assistant" && !chainIds.has(messageIdOf(entry.value));
}

/** What is not on the chain, by the first entry of it that left the chain. */
function groupsBeside(
  links: Links,
  chain: ReadonlySet<number>,
  entries: readonly Entry[],
): Map<number, readonly number[]> {
  const rootOf = new Map<number, number>();
  const groups = new Map<number, number[]>();
  for (const start of entries.keys()) {
    const path: number[] = [];
    let at: number | undefined = start;
    let root: number | undefined;
    const walked = new Set<number>();
    while (at !== undefined && !chain.has(at) && !walked.has(at)) {
      walked.add(at);
      path.push(at);
      root = rootOf.get(at);
      if (root !== undefined) break;
      at = links.parentOf(at);
    }
    if (path.length === 0) continue;
    root ??= path.at(-1) ?? start;
    for (const index of path) {
      if (rootOf.has(index)) continue;
      rootOf.set(index, root);
    }
  }
  for (const [index, root] of rootOf) groups.set(root, [...(groups.get(root) ?? []), index]);
  for (const members of groups.values()) members.sort((a, b) => a - b);
  return groups;
}

class Links {
  readonly #entries: readonly Entry[];
  readonly #parents: (number | undefined)[];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    const byUuid = new Map<string, number>();
    for (const [index, { uuid }] of entries.entries()) {
      if (uuid !== undefined && !byUuid.has(uuid)) byUuid.set(uuid, index);
    }
    this.#parents = entries.map(({ parentUuid }, index) => {
      const parent = parentUuid === undefined ? undefined : byUuid.get(parentUuid);
      return parent === index ? undefined : parent;
    });
    this.#linkRoots();
  }

  parentOf(index: number): number | undefined {
    return this.#parents[index];
  }

  /** Entries without a parent follow the one before them, unless that one follows them. */
  #linkRoots(): void {
    const sets = new DisjointSets(this.#entries.length);
    for (const [index, parent] of this.#parents.entries()) if (parent !== undefined) sets.join(index, parent);
    let lastSpoken: number | undefined;
    for (const [index, entry] of this.#entries.entries()) {
      if (this.#parents[index] === undefined && lastSpoken !== undefined && !sets.areJoined(index, lastSpoken)) {
        this.#parents[index] = lastSpoken;
        sets.join(index, lastSpoken);
      }
      if (isSpoken(entry)) lastSpoken = index;
    }
  }

  /** The newest leaf and all it goes back to. */
  chain(): Set<number> | undefined {
    const inner = new Set<number>();
    for (const [index, entry] of this.#entries.entries()) {
      if (!isSpoken(entry)) continue;
      const above = this.#spokenAbove(index);
      if (above !== undefined) inner.add(above);
    }
    let leaf: number | undefined;
    for (const [index, entry] of this.#entries.entries()) {
      if (isSpoken(entry) && !inner.has(index) && (leaf === undefined || this.#isNewer(index, leaf))) leaf = index;
    }
    if (leaf === undefined) return undefined;
    const chain = new Set<number>();
    for (let at: number | undefined = leaf; at !== undefined && !chain.has(at); at = this.#parents[at]) chain.add(at);
    return chain;
  }

  #spokenAbove(index: number): number | undefined {
    const walked = new Set<number>();
    for (let at = this.#parents[index]; at !== undefined && !walked.has(at); at = this.#parents[at]) {
      walked.add(at);
      const entry = this.#entries[at];
      if (entry !== undefined && isSpoken(entry)) return at;
    }
    return undefined;
  }

  #isNewer(index: number, than: number): boolean {
    const a = this.#entries[index]?.atMs;
    const b = this.#entries[than]?.atMs;
    return a === undefined || b === undefined || a === b ? index > than : a > b;
  }

  /** In the order of the file, but each after its parent. */
  inOrder(shown: ReadonlySet<number>): Entry[] {
    const placed = new Set<number>();
    const ordered: Entry[] = [];
    for (const start of [...shown].toSorted((a, b) => a - b)) {
      const path: number[] = [];
      const walked = new Set<number>();
      for (let at: number | undefined = start; at !== undefined && !placed.has(at) && !walked.has(at);) {
        walked.add(at);
        path.push(at);
        at = this.#parents[at];
      }
      for (const index of path.toReversed()) {
        placed.add(index);
        const entry = this.#entries[index];
        if (entry !== undefined && shown.has(index)) ordered.push(entry);
      }
    }
    return ordered;
  }
}

/** Which entries hang together. */
class DisjointSets {
  readonly #above: Int32Array;

  constructor(size: number) {
    this.#above = Int32Array.from({ length: size }, (_, index) => index);
  }

  areJoined(a: number, b: number): boolean {
    return this.#top(a) === this.#top(b);
  }

  join(a: number, b: number): void {
    this.#above[this.#top(a)] = this.#top(b);
  }

  #top(index: number): number {
    let at = index;
    for (let above = this.#above[at] ?? at; above !== at; above = this.#above[at] ?? at) {
      // Every other link is shortened on the way: the walk stays short.
      const next = this.#above[above] ?? above;
      this.#above[at] = next;
      at = next;
    }
    return at;
  }
}
