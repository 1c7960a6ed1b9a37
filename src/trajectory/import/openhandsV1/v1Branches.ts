import type { SourceRecord } from "../format";
import { field, filledText } from "../jsonAccess";

/** One line through a conversation that was gone back on. */
export interface V1Branch {
  readonly events: readonly SourceRecord[];
  /** Where it left the newest line: the last event both have. Absent of the newest. */
  readonly leftAt?: string;
}

/**
 * The lines of a conversation: events name the one before them (`parent_id`) where a person went back and went on from
 * there. The newest comes first; of the others, what they do not share with it.
 */
export function branchesOf(events: readonly SourceRecord[]): readonly V1Branch[] {
  const byId = new Map<string, number>();
  const parents = events.map((event, index) => {
    const id = filledText(field(event.value, "id"));
    if (id !== undefined && !byId.has(id)) byId.set(id, index);
    return filledText(field(event.value, "parent_id"));
  });
  if (parents.every((parent) => parent === undefined)) return [{ events }];
  // An event that names none follows the one before it.
  const parentOf = parents.map((parent, index) => {
    const named = parent === undefined ? undefined : byId.get(parent);
    return named !== undefined && named < index ? named : index - 1;
  });
  const isParent = new Set(parentOf);
  const leaves = events.map((_, index) => index).filter((index) => !isParent.has(index));
  const newest = lineTo(leaves.at(-1) ?? events.length - 1, parentOf);
  const taken = new Set(newest);
  const branches: V1Branch[] = [{ events: newest.map((index) => events[index] as SourceRecord) }];
  for (const leaf of leaves.slice(0, -1)) {
    const own = lineTo(leaf, parentOf).filter((index) => !taken.has(index));
    for (const index of own) taken.add(index);
    const left = parentOf[own[0] ?? leaf] ?? -1;
    const leftAt = filledText(field(events[left]?.value, "id")) ?? "";
    branches.push({ events: own.map((index) => events[index] as SourceRecord), leftAt });
  }
  return branches;
}

function lineTo(leaf: number, parentOf: readonly number[]): number[] {
  const line: number[] = [];
  for (let index = leaf; index >= 0; index = parentOf[index] ?? -1) line.push(index);
  return line.toReversed();
}
