import type { StoreApi } from "zustand/vanilla";
import type { PlannedRun, RunMetrics, RunOutcome } from "../experiment";
import type { FileSides, FinalFile } from "./compareFiles";
import type { CompareLine } from "./compareLines";
import type { CompareRecord } from "./projectDocument";
import type { DifferenceLine, FileDifference } from "./sessionDifference";
import type { SessionLookStore } from "./sessionLook";

/** One side of the comparison. */
export type ArmSide = "a" | "b";

/** One run as the screen tells of it. */
export interface CompareRun {
  readonly planned: PlannedRun;
  readonly side: ArmSide;
  /** Absent before it was begun. */
  readonly sessionId: string | undefined;
  /** `waiting`: not begun · `reading`: its log is being read · `elsewhere`: another tab runs it · `gone`: its log was deleted. */
  readonly state: RunOutcome | "waiting" | "reading" | "elsewhere" | "gone";
  /** Why it is no result, or ended badly. */
  readonly message?: string | undefined;
  /** Of a run that has ended. */
  readonly metrics?: RunMetrics | undefined;
}

/** Both arms on one prompt and repeat. */
export interface ComparePair {
  readonly promptIndex: number;
  readonly repeat: number;
  readonly a: CompareRun;
  readonly b: CompareRun;
}

export interface CompareState {
  readonly status: "idle" | "running" | "stopping";
  /** The comparison that is shown; absent before the first. */
  readonly record: CompareRecord | undefined;
  /** In order of prompts and repeats. */
  readonly pairs: readonly ComparePair[];
  readonly shownPair: number;
  /** The instructions as they are written now, line by line, with what the other arm has not; absent until they were compared. */
  readonly instructions: { readonly [Side in ArmSide]: readonly DifferenceLine[] } | undefined;
  /** What the arms of the shown pair did. */
  readonly looks: { readonly [Side in ArmSide]: SessionLookStore };
  readonly lines: readonly CompareLine[];
  /** What the arms of the shown pair left; absent while not both are known. */
  readonly files: readonly FinalFile[] | undefined;
  /** Why files cannot be compared. */
  readonly filesProblem: string | undefined;

  /** Reads the project's last comparison, unless one is shown already. */
  readonly open: () => Promise<void>;
  /** Begins a comparison of what the project's document says, on forks of the tree as it is. */
  readonly run: () => Promise<void>;
  /** Carries out what of the shown comparison has no result yet. */
  readonly runRest: () => Promise<void>;
  /** No further run begins, those under way end; what is done stays. */
  readonly stop: () => void;
  readonly showPair: (index: number) => void;
  /** A file of the shown pair's final trees, line by line. */
  readonly fileDifference: (path: string, sides: FileSides) => Promise<FileDifference>;
  /** Makes an arm's instructions the project's: as the shown runs had them, or as they are written now. */
  readonly takeInstructions: (side: ArmSide, text: "ran" | "written") => void;
  readonly dispose: () => void;
}

export type CompareStore = StoreApi<CompareState>;

/** Whether a run can be carried out again: it has no result and nobody is at it. */
export function isOpen({ state }: CompareRun): boolean {
  return state === "waiting" || state === "environment" || state === "stopped" || state === "gone";
}
