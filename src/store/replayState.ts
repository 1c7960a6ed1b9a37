import type { StoreApi } from "zustand/vanilla";
import type { SnapshotTree } from "../fs";
import type { SessionEvent } from "../session";
import type { ChangeIndex } from "./changeIndex";
import type { MountLook } from "./mountLook";
import type { ReplayEntry } from "./replayOutline";
import type { FileDifference } from "./sessionDifference";
import type { SessionLookStore } from "./sessionLook";

/** How fast a replay plays: times the recorded pace with long pauses shortened, or `recorded` with all of them. */
export type ReplaySpeed = 0.5 | 1 | 2 | 5 | 10 | "recorded";

/** A file as it was at a point of a session. */
export interface ReplayFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Absent: binary, gone or not kept. */
  readonly text?: string;
  /** A `data:` address, of an image. */
  readonly image?: string;
  /** Against the start; absent when nothing differs. */
  readonly difference?: FileDifference;
  /** Why there is nothing to see. */
  readonly problem?: string;
}

/** Where in a session to begin. */
export interface ReplayPlace {
  /** The event; the last one when absent. */
  readonly index?: number;
  readonly file?: string;
}

/** What a command wants of the session that is open: something its screen does. */
export type ReplayAsk =
  | "search"
  | "next-hit"
  | "previous-hit"
  | "filter"
  | "clear-filter"
  | "jump"
  | "copy-link"
  | "unfold"
  | "fold";

export interface ReplayState {
  readonly sessionId: string | undefined;
  /** A log is being read; how many of its events are in. Nothing is shown before its end is there. */
  readonly loading: { readonly events: number } | undefined;
  /**
   * The end of a long log is shown while the rest is gone through: outline, marks, the tree and sums are complete, and
   * playing is possible, when that is over.
   */
  readonly indexing: { readonly events: number; readonly ofEvents: number } | undefined;
  readonly problem: string | undefined;
  /** False: the tree the session began with is not here, so only files that it changed are. */
  readonly isStartKept: boolean;

  readonly eventCount: number;
  /** The last event that has happened; -1 before the first. */
  readonly index: number;
  /** Of what is shown; what is at `index` once that has settled. */
  readonly event: SessionEvent | undefined;
  /** False while what is shown lags behind `index`: it is being read. */
  readonly isSettled: boolean;
  /** The first event that chat, trace and raw lines hold: 0 but in long sessions, of which a stretch is shown. */
  readonly windowStart: number;
  /** Milliseconds from the first event to the one at `index`, and to the last. */
  readonly elapsedMs: number;
  readonly totalMs: number;
  readonly outline: readonly ReplayEntry[];
  /** Indexes of the events that begin a step, and of those that changed a file. */
  readonly stepIndexes: readonly number[];
  readonly changeIndexes: readonly number[];

  readonly look: SessionLookStore;
  readonly mounts: readonly MountLook[];
  readonly tree: SnapshotTree;
  /** What differs from the start. */
  readonly changes: ChangeIndex;
  /** Paths the event at `index` changed. */
  readonly touched: ReadonlySet<string>;
  readonly expanded: ReadonlySet<string>;
  readonly selected: string | undefined;
  /** The file a person chose; absent while the one that was changed last is shown. */
  readonly chosen: string | undefined;
  /** How often a person went somewhere on purpose: each is a place to come back to. */
  readonly jumps: number;
  /** What was asked last, and how often anything was. */
  readonly asked: { readonly what: ReplayAsk; readonly count: number } | undefined;

  readonly isPlaying: boolean;
  readonly speed: ReplaySpeed;

  /** Shows a session: `sessionId` is it at once, the rest follows. */
  readonly open: (sessionId: string, place?: ReplayPlace) => Promise<void>;
  readonly close: () => void;
  readonly seek: (index: number) => void;
  /** Goes to an event on purpose: Back comes back from it. */
  readonly jumpTo: (index: number) => void;
  readonly ask: (what: ReplayAsk) => void;
  /** Begins what is shown of a long session earlier, as far as it is held. */
  readonly showEarlier: () => void;
  /** To the next (1) or the previous (-1) step. */
  readonly seekStep: (direction: 1 | -1) => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly setSpeed: (speed: ReplaySpeed) => void;
  readonly select: (path: string) => void;
  readonly setExpanded: (path: string, expanded: boolean) => void;
  /** A file as it is at this point, and what differs from the start. */
  readonly fileAt: (path: string) => Promise<ReplayFile>;
  readonly dispose: () => void;
}

export type ReplayStore = StoreApi<ReplayState>;
