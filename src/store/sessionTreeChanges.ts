import { diffTrees, isUnder, type SnapshotTree } from "../fs";
import type { EventData, FileChange, RecordedMount, SessionEvent } from "../session";
import type { PersonChange } from "./personChanges";

type TreeChanged = EventData["tree.changed"];

export interface TreeToTell {
  /** The log so far. */
  readonly events: readonly SessionEvent[];
  /** The tree the session began with; without it what differs is unknown. */
  readonly start: SnapshotTree | undefined;
  readonly now: SnapshotTree;
  /** The mount table as it is. */
  readonly mounts: readonly RecordedMount[];
  /** What a person is known to have done since, in its order. */
  readonly known: readonly Pick<PersonChange, "reason" | "paths">[];
  /**
   * The page is another one than the log was written in: what differs in a mount in memory is that it began anew. `later`
   * leaves that to the next message, because another tab may have the files the log tells of.
   */
  readonly memory?: "began-anew" | "later";
}

/**
 * What the log must still be told so that it leads to the tree as it is, by reason: mounts first, because files may be on
 * them. The table is compared with the one that was told last. Nothing when the log leads there.
 */
export function treeChangesToTell(tree: TreeToTell): TreeChanged[] {
  const told = toldMounts(tree.events);
  const moved = told === undefined ? [] : movedPrefixes(told, tree.mounts);
  const all = tree.start === undefined ? [] : sessionTreeChanges(tree.events, tree.start, tree.now);
  const mountOf = ({ path }: FileChange) =>
    tree.mounts
      .filter(({ prefix }) => isUnder(path, prefix))
      .reduce<RecordedMount | undefined>((inner, mount) => (isInner(mount, inner) ? mount : inner), undefined);
  const inMemory = (change: FileChange) => mountOf(change)?.kind === "memory";
  // Where nobody can write a file comes from elsewhere, unless it shows through from where a person wrote.
  const isSeenOnly = (change: FileChange) =>
    (mountOf(change)?.readOnly ?? true) && tree.known.every(({ reason }) => reason === "mounts");
  const firstSeen = firstSeenMounts(tree);
  const knownReason = ({ path }: FileChange) =>
    tree.known.findLast(({ paths }) => paths.some((changed) => isUnder(path, changed)))?.reason;
  const isLater = (change: FileChange) =>
    tree.memory === "later" && knownReason(change) === undefined && inMemory(change);
  const changes = all.filter((change) => !isLater(change));
  const reasonOf = (change: FileChange): TreeChanged["reason"] => {
    const known = knownReason(change);
    if (known !== undefined) return known;
    const isMoved = moved.some((prefix) => isUnder(change.path, prefix));
    const cameWithMount = isMoved || isSeenOnly(change) || firstSeen(mountOf(change));
    return cameWithMount || (tree.memory === "began-anew" && inMemory(change)) ? "mounts" : "edit";
  };
  return (["mounts", "revert", "edit"] as const).flatMap((reason) => {
    const own = changes.filter((change) => reasonOf(change) === reason);
    if (reason === "mounts" && moved.length > 0) return [{ reason, changes: own, mounts: tree.mounts }];
    return own.length === 0 ? [] : [{ reason, changes: own }];
  });
}

/**
 * What differs between the tree a log leads to and the tree as it is: what people changed, or what a call did that was cut
 * off before its result.
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
    const after = now.file(path);
    if (before === after?.hash) continue;
    changes.push({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after: after.hash, sizeBytes: after.sizeBytes }),
    });
  }
  return changes;
}

/** Which mounts from outside the log knows no file of yet: what is in them was there when they were first listed. */
function firstSeenMounts({ events, start }: TreeToTell): (mount: RecordedMount | undefined) => boolean {
  const known = new Map<string, boolean>();
  return (mount) => {
    if (mount === undefined || !OUTSIDE.has(mount.kind)) return false;
    const { prefix } = mount;
    let isFirst = known.get(prefix);
    if (isFirst === undefined) {
      const isTold = [...toldHashes(events)].some(([path, hash]) => hash !== undefined && isUnder(path, prefix));
      isFirst = !isTold && (start?.subtree(prefix).fileCount ?? 0) === 0;
      known.set(prefix, isFirst);
    }
    return isFirst;
  };
}

const OUTSIDE: ReadonlySet<string> = new Set(["folder", "s3", "webdav"]);

function isInner(mount: RecordedMount, than: RecordedMount | undefined): boolean {
  return than === undefined || mount.prefix.length > than.prefix.length;
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

/** The mount table the log told last; a log from elsewhere tells none. */
function toldMounts(events: readonly SessionEvent[]): readonly RecordedMount[] | undefined {
  const last = events.findLast((event) => event.type === "tree.changed" && event.data.mounts !== undefined);
  if (last?.type === "tree.changed") return last.data.mounts;
  const started = events.find((event) => event.type === "session.started");
  return started?.type === "session.started" ? started.data.playground?.mounts : undefined;
}

/** Prefixes that another mount serves now, or serves otherwise; the order of a table changes nothing. */
function movedPrefixes(told: readonly RecordedMount[], now: readonly RecordedMount[]): string[] {
  const lines = (mounts: readonly RecordedMount[]) =>
    new Map(mounts.map((mount) => [`${mount.prefix}\n${mount.kind}\n${mount.readOnly}`, mount.prefix]));
  const [before, after] = [lines(told), lines(now)];
  return [...[...before].filter(([line]) => !after.has(line)), ...[...after].filter(([line]) => !before.has(line))].map(
    ([, prefix]) => prefix,
  );
}
