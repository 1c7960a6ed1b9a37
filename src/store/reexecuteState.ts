import type { StoreApi } from "zustand/vanilla";
import type {
  DeclaredNormaliser,
  DivergencePolicy,
  DivergenceReport,
  InferredFile,
  ReexecutedCall,
  ReportComparison,
} from "../trajectory";
import type { DifferenceLine } from "./sessionDifference";

/** A tree the calls of a recording can run on, or why they cannot. */
export interface StartOption {
  readonly kind: DivergenceReport["start"]["kind"];
  readonly fileCount: number;
  /** Why it cannot be chosen. */
  readonly unavailable?: string;
  /** What an inferred tree knows of its files. */
  readonly inferred?: readonly InferredFile[];
}

/** What can be chosen before a session's calls run again. */
export interface ReexecutionPlan {
  readonly callCount: number;
  /** Calls that run commands. */
  readonly commandCount: number;
  readonly starts: readonly StartOption[];
  /** Another program's recording: its paths lie below `root`, where it says so. */
  readonly foreign?: { readonly root?: string };
  /** Where on today's mounts that root may lie. */
  readonly mounts: readonly string[];
  readonly normalisers: readonly DeclaredNormaliser[];
  /** Why no command can run here. */
  readonly noShell?: string;
}

export interface ReexecutionChoice {
  readonly start: StartOption["kind"];
  readonly policy: DivergencePolicy;
  /** Commands that surely only read run on the in-page host. */
  readonly runsCommands: boolean;
  /** On today's mounts: the mount at which another program's root lies; its paths as they are when absent or empty. */
  readonly root?: string;
}

export interface ShownReport {
  readonly name: string;
  readonly report: DivergenceReport;
  /** Whether it is about the session that is open: its events can then be gone to. */
  readonly isOfSession: boolean;
}

export interface ReexecuteState {
  readonly sessionId: string | undefined;
  /** The session is being read. */
  readonly isPreparing: boolean;
  readonly plan: ReexecutionPlan | undefined;
  readonly problem: string | undefined;
  readonly running: { readonly done: number; readonly total: number } | undefined;
  readonly shown: ShownReport | undefined;
  /** Another report the shown one is compared with: what it says otherwise than that one. */
  readonly compared: { readonly name: string; readonly comparison: ReportComparison } | undefined;

  /** Looks at what a session can be run on. Its last report stays shown. Never throws. */
  readonly prepare: (sessionId: string) => Promise<void>;
  /** Runs the calls again; `shown` is the report then. Never throws. */
  readonly run: (choice: ReexecutionChoice) => Promise<void>;
  /** Ends it with the calls so far. */
  readonly stop: () => void;
  /** Shows a saved report. */
  readonly open: (file: File) => Promise<void>;
  /** Compares the shown report with a saved one, the earlier of the two. */
  readonly compareWith: (file: File) => Promise<void>;
  readonly endComparison: () => void;
  /** Back to the choices. */
  readonly closeReport: () => void;
  /** The shown report as a file. */
  readonly saved: () => { readonly name: string; readonly contents: Blob } | undefined;
  /** What was recorded and what came, line by line. */
  readonly linesOf: (call: ReexecutedCall) => readonly DifferenceLine[];
}

export type ReexecuteStore = StoreApi<ReexecuteState>;
