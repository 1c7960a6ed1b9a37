import type { EventData, FileChange, RecordedMount } from "./sessionEvent";

type TreeChanged = EventData["tree.changed"];

const WHAT = {
  edit: "A person changed files",
  revert: "A person took changes back",
  seed: "The message brought files",
};

const KIND_WORDS: { readonly [kind: string]: string } = { idb: "IndexedDB", s3: "S3", webdav: "WebDAV" };

/** What a person did to the tree, in a sentence; of mounts what differs from the table `before`, where that is known. */
export function treeChangedText(changed: TreeChanged, before?: readonly RecordedMount[]): string {
  const { reason, changes } = changed;
  if (reason === "mounts") return mountsChangedText(changed, before);
  const what = WHAT[reason] ?? "The tree changed";
  return changes.length === 0 ? `${what}.` : `${what}: ${counted(changes.map((change) => change.path))}.`;
}

/** Two changes of mounts as one: what the first began with, and what the second led to. */
export function mergedMountsChange(first: TreeChanged, second: TreeChanged): TreeChanged {
  const byPath = new Map(first.changes.map((change) => [change.path, change]));
  for (const change of second.changes) {
    const { before: _between, ...last } = change;
    const known = byPath.get(change.path);
    const before = known === undefined ? change.before : known.before;
    if (before === change.after) byPath.delete(change.path);
    else byPath.set(change.path, { ...last, ...(before === undefined ? {} : { before }) });
  }
  return { ...first, ...second, changes: [...byPath.values()] };
}

function mountsChangedText({ changes, mounts }: TreeChanged, before: readonly RecordedMount[] | undefined): string {
  if (before !== undefined && mounts !== undefined && isHostAlone(mounts) && !isHostAlone(before)) {
    // What other mounts hold is where it was, though it is not in this tree any more.
    const unseen = before.filter(({ kind }) => kind !== "host").map(({ prefix }) => prefix);
    return `The agent sees the host disk alone now; not in its tree any more: ${unseen.join(", ")}.`;
  }
  const files = fileWords(changes);
  const table = mounts === undefined ? [] : before === undefined ? tableWords(mounts) : differenceWords(before, mounts);
  if (table.length > 0) return `The mounts changed: ${[table.join(", "), ...files].join("; ")}.`;
  if (files.length > 0) return `Files of the mounts: ${files.join(", ")}.`;
  return mounts === undefined ? "The mounts changed." : "The mounts changed, and are as they were.";
}

/** The table of an agent on the host. */
function isHostAlone(mounts: readonly RecordedMount[]): boolean {
  return mounts.length === 1 && mounts[0]?.kind === "host";
}

function tableWords(mounts: readonly RecordedMount[]): string[] {
  const table = mounts.map(({ prefix, readOnly }) => (readOnly ? `${prefix} (read-only)` : prefix)).join(", ");
  return [table === "" ? "there are none now" : `now ${table}`];
}

function differenceWords(before: readonly RecordedMount[], after: readonly RecordedMount[]): string[] {
  const same = ({ prefix, kind }: RecordedMount, mounts: readonly RecordedMount[]) =>
    mounts.find((other) => other.prefix === prefix && other.kind === kind);
  return [
    ...after.flatMap((mount) => {
      const { prefix, kind, readOnly } = mount;
      const old = same(mount, before);
      if (old === undefined) return [`+ ${prefix} (${KIND_WORDS[kind] ?? kind}${readOnly ? ", read-only" : ""})`];
      return old.readOnly === readOnly ? [] : [`${prefix} is ${readOnly ? "read-only" : "writable"} now`];
    }),
    ...before.flatMap((mount) => (same(mount, after) === undefined ? [`− ${mount.prefix}`] : [])),
  ];
}

/** How many files came, went and are others now: their paths are in the log. */
function fileWords(changes: readonly FileChange[]): string[] {
  const came = changes.filter(({ before }) => before === undefined).length;
  const went = changes.filter(({ after }) => after === undefined).length;
  const others = changes.length - came - went;
  const words = (count: number, what: string) => `${count} ${count === 1 ? "file" : "files"} ${what}`;
  return [
    ...(came === 0 ? [] : [words(came, "came")]),
    ...(went === 0 ? [] : [words(went, "went")]),
    ...(others === 0 ? [] : [words(others, "changed")]),
  ];
}

function counted(paths: readonly string[]): string {
  return paths.slice(0, 3).join(", ") + (paths.length > 3 ? ` and ${paths.length - 3} more` : "");
}
