import type { FileSystem, VersionedTree } from "../../../fs";
import type { ReexecutionShell, RunOutcome } from "../callRunner";
import type { Placement } from "./placement";
import type { RecordedReading } from "./recordedReading";

export interface ForeignRunnerOptions {
  readonly tree: FileSystem & VersionedTree;
  readonly placement: Placement;
  /** Of an inferred tree: the paths it knows were not there. What else it lacks is unknown. */
  readonly absent?: ReadonlySet<string>;
  readonly shell?: ReexecutionShell;
}

/** What the operations of other programs' tools run with. */
export interface ForeignRun extends ForeignRunnerOptions {
  readonly signal: AbortSignal;
  readonly recorded: RecordedReading;
  /** A recorded path as one of the tree. */
  readonly place: (path: string) => string | undefined;
  /** Whether the tree can tell of a path: false for one an inferred tree does not hold. */
  readonly knows: (path: string) => Promise<boolean>;
}

/** What an operation came to on the tree; `undefined` values are those it does not have. */
export type OperationOutcome =
  | Extract<RunOutcome, { kind: "not run" | "not comparable" }>
  | (Omit<Extract<RunOutcome, { kind: "reading" }>, "kind" | "ranAs" | "changes"> & { readonly kind: "ran" });

export type Ran = Extract<OperationOutcome, { kind: "ran" }>;

export function ran(outcome: Omit<Ran, "kind">): Ran {
  return { kind: "ran", ...outcome };
}
