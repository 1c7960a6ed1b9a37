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

export interface ReplayState {
  readonly sessionId: string | undefined;
  /** A log is being read; how many of its events are in. */
  readonly loading: { readonly events: number } | undefined;
  readonly problem: string | undefined;
  /** False: the tree the session began with is not here, so only files that it changed are. */
  readonly isStartKept: boolean;

  readonly eventCount: number;
  /** The last event that has happened; -1 before the first. */
  readonly index: number;
  readonly event: SessionEvent | undefined;
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

  readonly isPlaying: boolean;
  readonly speed: ReplaySpeed;

  /** Shows a session: `sessionId` is it at once, the rest follows. */
  readonly open: (sessionId: string) => Promise<void>;
  readonly close: () => void;
  readonly seek: (index: number) => void;
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
