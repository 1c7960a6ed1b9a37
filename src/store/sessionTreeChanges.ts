import { diffTrees, type SnapshotTree } from "../fs";
import type { FileChange, SessionEvent } from "../session";

/**
 * What differs between the tree a log leads to and the tree as it is: a person's edits between turns, or what a call did
 * that was cut off before its result.
 */
export function sessionTreeChanges(
  events: readonly SessionEvent[],
  start: SnapshotTree,
  now: SnapshotTree,
): FileChange[] {
  const told = toldHashes(events);
  const actual = new Map(diffTrees(start, now).map((change) => [change.path, change.after]));
  const changes: FileChange[] = [];
  for (const path of [...new Set([...told.keys(), ...actual.keys()])].toSorted()) {
    const before = told.has(path) ? told.get(path) : start.file(path)?.hash;
    const after = now.file(path)?.hash;
    if (before === after) continue;
    changes.push({ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
  }
  return changes;
}

/** The last hash the log tells of each path it says was changed; `undefined` where it was deleted. */
function toldHashes(events: readonly SessionEvent[]): Map<string, string | undefined> {
  const told = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.type !== "action.result" && event.type !== "tree.changed") continue;
    for (const change of event.data.changes ?? []) told.set(change.path, change.after);
  }
  return told;
}
