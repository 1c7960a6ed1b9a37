import type { SourceRecord } from "../format";
import { field, filledText } from "../jsonAccess";

/** The way from the first entry to one that nothing follows. */
export interface PiPath {
  readonly entries: readonly SourceRecord[];
  /** Entries at the beginning that the newest path has too. */
  readonly shared: number;
}

/**
 * The paths of a session's tree, the one the last entry ends first. Entries without ids, as the first versions wrote
 * them, follow one another.
 */
export function piPaths(entries: readonly SourceRecord[]): readonly PiPath[] {
  const byId = new Map<string, SourceRecord>();
  const parents = new Map<SourceRecord, SourceRecord | undefined>();
  const followed = new Set<SourceRecord>();
  let before: SourceRecord | undefined;
  for (const entry of entries) {
    const id = filledText(field(entry.value, "id"));
    const parentId = field(entry.value, "parentId");
    const named = typeof parentId === "string" ? byId.get(parentId) : undefined;
    // A parent that is not there is lost: the entry goes on from the one before it.
    const parent = parentId === null ? undefined : (named ?? before);
    parents.set(entry, parent);
    if (parent !== undefined) followed.add(parent);
    if (id !== undefined) byId.set(id, entry);
    before = entry;
  }
  const last = entries.at(-1);
  if (last === undefined) return [];
  const leaves = entries.filter((entry) => !followed.has(entry) && entry !== last);
  const newest = pathTo(last, parents);
  const isNewest = new Set(newest);
  return [
    { entries: newest, shared: 0 },
    ...leaves.toReversed().map((leaf) => {
      const path = pathTo(leaf, parents);
      return { entries: path, shared: path.filter((entry) => isNewest.has(entry)).length };
    }),
  ];
}

function pathTo(
  leaf: SourceRecord,
  parents: ReadonlyMap<SourceRecord, SourceRecord | undefined>,
): readonly SourceRecord[] {
  const path: SourceRecord[] = [];
  for (let entry: SourceRecord | undefined = leaf; entry !== undefined; entry = parents.get(entry)) path.push(entry);
  return path.toReversed();
}
