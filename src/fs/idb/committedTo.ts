import type { SnapshotTree } from "../snapshotTree";
import { treeFromEdits, type TreeEdit } from "../treeEdit";
import { heldContents } from "./contentPacks";
import type { StagedContents } from "./contentStore";
import { recordFromSteps, sizeOfRecord, type DiskHead, type DiskStep, type StepsRecord } from "./diskRecords";
import type { DiskState } from "./diskTree";
import { STORAGE_SCHEMA } from "./projectHead";

/** Edits on their way, their contents hashed and laid out. */
export interface PendingCommit {
  readonly edits: readonly TreeEdit[];
  readonly staged: StagedContents;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** What one transaction did. */
export interface Committed {
  readonly before: DiskState;
  readonly after: DiskState;
  readonly steps: readonly DiskStep[];
  /** The steps as stored; `undefined` when there are none. */
  readonly record: StepsRecord | undefined;
  readonly taken: readonly PendingCommit[];
  readonly refused: ReadonlyMap<PendingCommit, unknown>;
}

/** What the group makes of a state; a commit that cannot be is refused by itself. */
export function committedTo(before: DiskState, group: readonly PendingCommit[]): Committed {
  const steps: DiskStep[] = [];
  const taken: PendingCommit[] = [];
  const refused = new Map<PendingCommit, unknown>();
  let { tree } = before;
  for (const commit of group) {
    try {
      const edited = editedTree(tree, commit.edits);
      tree = edited.tree;
      // One by one: more than a call takes arguments may come at once.
      for (const step of edited.steps) steps.push(step);
      taken.push(commit);
    } catch (error) {
      refused.set(commit, error);
    }
  }
  if (steps.length === 0) return { before, after: before, steps, record: undefined, taken, refused };
  const held = taken.flatMap(({ staged }) => staged.held);
  const record = recordFromSteps(steps, held.length === 0 ? undefined : heldContents(held));
  const after = { head: nextHead(before.head), tree, logSize: before.logSize + sizeOfRecord(record) };
  return { before, after, steps, record, taken, refused };
}

function editedTree(tree: SnapshotTree, edits: readonly TreeEdit[]): { tree: SnapshotTree; steps: DiskStep[] } {
  if (!edits.some((edit) => edit.kind === "removeDirectory" && edit.onlyEmpty)) {
    return { tree: treeFromEdits(tree, edits), steps: edits.map(stepFromEdit) };
  }
  // Whether such an edit does anything is known only when its turn comes.
  let edited = tree;
  const steps: DiskStep[] = [];
  for (const edit of edits) {
    const next = treeFromEdits(edited, [edit]);
    if (next !== edited || edit.kind !== "removeDirectory") steps.push(stepFromEdit(edit));
    edited = next;
  }
  return { tree: edited, steps };
}

function stepFromEdit(edit: TreeEdit): DiskStep {
  switch (edit.kind) {
    case "write": {
      const { hash, sizeBytes, modifiedAt } = edit.file;
      return { kind: "write", path: edit.path, hash, sizeBytes, modifiedAt };
    }
    case "rename":
      return { kind: "rename", path: edit.from, to: edit.to };
    case "makeDirectory":
      return { kind: "mark", path: edit.path };
    default:
      return { kind: "remove", path: edit.path };
  }
}

function nextHead(head: DiskHead | undefined): DiskHead {
  const { sequence, ...rest } = head ?? { sequence: 0, checkpoint: 0, checkpointSequence: 0 };
  return { ...rest, schema: STORAGE_SCHEMA, sequence: sequence + 1 };
}
