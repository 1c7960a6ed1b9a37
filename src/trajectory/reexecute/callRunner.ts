import type { JsonValue } from "../../base";
import type { FileSystem } from "../../fs";
import type { EventData, FileChange } from "../../session";
import type { Difference } from "./divergenceReport";
import type { RecordedCall } from "./recordedCalls";

/** What a command of the in-page host came to. */
export interface ShellOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a command that only reads on a tree. May throw: the call then counts as not run, with the reason. */
export type ReexecutionShell = (
  command: string,
  tree: FileSystem,
  options: { readonly cwd: string; readonly signal: AbortSignal },
) => Promise<ShellOutcome>;

/** What running a recorded call again came to. */
export type RunOutcome =
  | { readonly kind: "not run"; readonly why: string }
  | { readonly kind: "not comparable"; readonly why: string }
  /** A tool of ours: its result as a log would hold it. */
  | { readonly kind: "result"; readonly result: EventData["action.result"] }
  /** Another program's tool: both results read as the same kind of value. */
  | {
      readonly kind: "reading";
      readonly ranAs: string;
      readonly status: "completed" | "failed";
      readonly message?: string;
      readonly expected: JsonValue;
      readonly actual: JsonValue;
      /** Names of the normalisers the readings used. */
      readonly normalisers: readonly string[];
      /** Set where the two differ and the runner knows better than a comparison where. */
      readonly difference?: Difference;
      readonly changes: readonly FileChange[];
    };

/** Runs recorded calls again on the tree it was made for. Never rejects, but for what `signal` ends. */
export interface CallRunner {
  /** A turn begins. */
  beginTurn(): void;
  run(call: RecordedCall, signal: AbortSignal): Promise<RunOutcome>;
}
