import type { Clock, Ids, Random } from "../base";
import type { FileSystem, SnapshotTree } from "../fs";
import type { AgentSession, BoundAgent, SendOptions } from "../agent";
import type { LanguageModelV4 } from "../model";
import type { EventData, FileChange, InputResolution, Served, SessionEvent } from "./sessionEvent";

/** What a turn needs from its driver. None of these may throw unless it says so. */
export interface TurnServices {
  readonly model: LanguageModelV4;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Jitter of retries. */
  readonly random: Random;
  /** Stores a text once and names it by its SHA-256. May throw: the turn then fails with the error's code. */
  readonly blobs: { put(text: string): Promise<string> };
  /** Resolves when every event the driver was given is on disk. May throw: the turn then fails, no call runs. */
  durable(): Promise<void>;
  /** Keeps the contents a call left behind, so that replay has them. May throw: the turn then fails. */
  keep(after: SnapshotTree, changes: readonly FileChange[]): Promise<void>;
  /** Takes keys out of a text before it enters an event. */
  readonly scrub?: (text: string) => string;
  /** Waits; rejects or resolves early when the signal aborts. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** What a person changes in the tree while a turn runs. None of it may throw. */
export interface PersonChanges {
  /**
   * What was changed since it was last told, against the log so far. Asked only while no call runs and every result so
   * far has been yielded: what differs from the log by then is no call's doing.
   */
  take(): Promise<readonly EventData["tree.changed"][]>;
  /** Whether a person writes, or has written since it was last told, at a path: that is no call's doing either. */
  covers(path: string): boolean;
}

export interface TurnOptions {
  /** The agent bound for this turn, or the session's, which is asked when the turn begins: its tree may fail the turn. */
  readonly bound: BoundAgent | AgentSession;
  /** The whole log so far, large values put back in line. */
  readonly events: readonly SessionEvent[];
  /** Stops the turn at once, in the middle of a stream or of a tool. */
  readonly signal: AbortSignal;
  readonly services: TurnServices;
  /** Whether a person is asked before every write; the agent's own choice when left out. */
  readonly approvals?: "never" | "writes";
  /** Reads run, writes are stubbed; what the session began with when left out. */
  readonly dryRun?: boolean;
  /**
   * A fresh view of the tree that reports who served what: each file call gets one of its own, so that calls at the same
   * time are told apart. Left out, calls run on the bound tree and `served` stays empty.
   */
  readonly treeForCall?: (observe: (served: Served) => void) => FileSystem;
  /** Told in order with the turn's own events, never while a call runs. */
  readonly personChanges?: PersonChanges;
  /** Tools a person has allowed in the session this one works for; a subagent's session has no person of its own. */
  readonly allowedTools?: ReadonlySet<string>;
  /** Sent with every model call. */
  readonly callSettings?: { readonly temperature?: number; readonly maxOutputTokens?: number; readonly seed?: number };
  /** Milliseconds of silence after which a model stream counts as stalled. */
  readonly stallMs?: number;
}

export interface RunTurnOptions extends TurnOptions {
  readonly message: string;
  /** The session's last token, where the sender has one: an older one is refused. */
  readonly continuationToken?: string;
  /** Where the session is to run from now on; only with an `AgentSession`. */
  readonly send?: SendOptions;
  /** Files written through the tree before the turn; `memory/` is reserved. */
  readonly workspaceFiles?: Readonly<Record<string, string | Uint8Array>>;
}

export interface ResumeTurnOptions extends TurnOptions {
  /** Answers to the open requests; those left out stay open and the turn waits again. */
  readonly resolutions: readonly InputResolution[];
}
