import type { SourceRecord } from "../format";
import { field, filledText } from "../jsonAccess";

/** One line through a conversation that was gone back on. */
export interface V1Branch {
  readonly events: readonly SourceRecord[];
  /** Where it left the newest line: the last event both have. Absent of the newest. */
  readonly leftAt?: string;
}

/**
 * The lines of a conversation: events name the one before them (`parent_id`), and where a person went back, two name the
 * same. The line that is gone on with, the newest where none is named, comes first; of the others, what they do not share with it. Events that name none, as those of the
 * machinery do, stay with the one before them.
 */
export function branchesOf(events: readonly SourceRecord[], leafId?: string): readonly V1Branch[] {
  const parentOf = parentsOf(events);
  if (parentOf.size === 0) return [{ events }];
  const isParent = new Set(parentOf.values());
  const leaves = [...parentOf.keys()].filter((index) => !isParent.has(index));
  const named = [...parentOf.keys()].find(
    (index) => leafId !== undefined && field(events[index]?.value, "id") === leafId,
  );
  const current = named ?? leaves.at(-1) ?? 0;
  const lineOf = new Map<number, number>();
  for (const index of lineTo(current, parentOf, lineOf)) lineOf.set(index, 0);
  const left: number[] = [];
  for (const leaf of leaves.filter((index) => index !== current)) {
    const own = lineTo(leaf, parentOf, lineOf);
    left.push(parentOf.get(own[0] ?? leaf) ?? -1);
    for (const index of own) lineOf.set(index, left.length);
  }
  const branches: SourceRecord[][] = [[], ...left.map(() => [])];
  let line = 0;
  for (const [index, event] of events.entries()) {
    line = lineOf.get(index) ?? line;
    branches[line]?.push(event);
  }
  return branches.map((own, index) =>
    index === 0
      ? { events: own }
      : { events: own, leftAt: filledText(field(events[left[index - 1] ?? -1]?.value, "id")) ?? "" },
  );
}

/** Of each event that is on a line, the place of the one before it; -1 of the first. */
function parentsOf(events: readonly SourceRecord[]): Map<number, number> {
  const places = new Map<string, number>();
  const parentOf = new Map<number, number>();
  let before = -1;
  for (const [index, { value }] of events.entries()) {
    const id = filledText(field(value, "id"));
    const parent = filledText(field(value, "parent_id"));
    const named = parent === undefined ? undefined : places.get(parent);
    if (id !== undefined && !places.has(id)) places.set(id, index);
    if (parent === undefined) continue;
    // The first is named by others only; what names an event that is not here follows the one before it.
    if (named !== undefined && !parentOf.has(named)) parentOf.set(named, before < named ? before : -1);
    parentOf.set(index, named ?? before);
    before = index;
  }
  return parentOf;
}

/** The events up to one, from the first that is on no line yet. */
function lineTo(leaf: number, parentOf: ReadonlyMap<number, number>, lineOf: ReadonlyMap<number, number>): number[] {
  const line: number[] = [];
  for (let index = leaf; index >= 0 && !lineOf.has(index); index = parentOf.get(index) ?? -1) line.push(index);
  return line.toReversed();
}
