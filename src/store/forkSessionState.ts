import type { SessionEvent } from "../session";
import type { SessionFork } from "../trajectory";
import type { StartOption } from "./reexecuteState";

/** Something of a recording that a fork can have otherwise. */
export interface ForkTarget {
  readonly eventIndex: number;
  /** What it is, in words. */
  readonly label: string;
  readonly text: string;
  /** Its text is JSON: what takes its place must be JSON too. */
  readonly isJson: boolean;
}

/** What can be done otherwise at a point of a session. */
export interface ForkPlan {
  readonly sessionId: string;
  /** The event the fork is made at. */
  readonly index: number;
  readonly instructions: string;
  /** Newest first, as are results. */
  readonly messages: readonly ForkTarget[];
  readonly results: readonly ForkTarget[];
  readonly starts: readonly StartOption[];
  /** Why the recording cannot go on, where it cannot. */
  readonly noRecording?: string;
  /** Who answers live. */
  readonly modelName: string;
}

export interface ForkChoice {
  readonly edit:
    | { readonly kind: "none" }
    | { readonly kind: "instructions"; readonly instructions: string }
    | { readonly kind: "message"; readonly eventIndex: number; readonly message: string }
    | { readonly kind: "tool-result"; readonly eventIndex: number; readonly text: string; readonly failed: boolean }
    /** `contents` absent: the file is deleted. */
    | { readonly kind: "file"; readonly path: string; readonly contents?: string };
  readonly goesOn: "live" | "recording";
  readonly files: StartOption["kind"];
}

/** The recording that speaks in a fork as long as requests are the recorded ones. */
export interface ForkRecording {
  readonly events: readonly SessionEvent[];
  readonly from: number;
  readonly sessionId: string;
  /** Told when the live model takes over: after how many steps. */
  readonly onLive: (playedSteps: number) => void;
}

/** A fork that is stored, and how it goes on. */
export interface MadeFork {
  readonly sessionId: string;
  readonly events: readonly SessionEvent[];
  readonly next: SessionFork["next"];
  readonly recording?: ForkRecording;
}

/** New sessions out of recorded ones. Each runs on files of its own: nothing of it reaches the mounts. */
export interface SessionForks {
  /** @throws what storage and the mounts throw */
  plan(sessionId: string, index: number): Promise<ForkPlan>;
  /** The files at the plan's point on a start, sorted. @throws what storage throws */
  paths(plan: ForkPlan, files: StartOption["kind"]): Promise<readonly string[]>;
  /** The text of one; `undefined` where there is none. @throws what storage throws */
  text(plan: ForkPlan, files: StartOption["kind"], path: string): Promise<string | undefined>;
  /**
   * Stores the new session, shows it and lets it go on; resolves when it is shown, with its id. What keeps it from going on
   * is told as a notice. @throws RangeError, SyntaxError of an output that is no JSON, DiscoveryError, what storage throws
   */
  make(plan: ForkPlan, choice: ForkChoice): Promise<string>;
}
