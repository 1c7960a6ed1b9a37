import type { EventData } from "./sessionEvent";

const WHAT = {
  edit: "A person changed files",
  revert: "A person took changes back",
  mounts: "The mounts changed",
  seed: "The message brought files",
};

/** What a person did to the tree, in a sentence: with a change of mounts, the table as it is since. */
export function treeChangedText({ reason, changes, mounts }: EventData["tree.changed"]): string {
  const what = WHAT[reason] ?? "The tree changed";
  const table = mounts?.map(({ prefix, readOnly }) => (readOnly ? `${prefix} (read-only)` : prefix)).join(", ");
  const facts = [
    ...(table === undefined ? [] : [table === "" ? "there are none now" : `now ${table}`]),
    ...(changes.length === 0 ? [] : [counted(changes.map((change) => change.path))]),
  ];
  return `${what}${facts.length === 0 ? "" : `: ${facts.join("; ")}`}.`;
}

function counted(paths: readonly string[]): string {
  return paths.slice(0, 3).join(", ") + (paths.length > 3 ? ` and ${paths.length - 3} more` : "");
}
