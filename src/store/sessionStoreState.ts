import type { StoreApi } from "zustand/vanilla";
import type { JsonObject } from "../base";
import type { SessionEvent, SessionState } from "../session";
import type { SessionRecord } from "../storage";
import type { StepRequest } from "./sessionRequest";
import type { ChatRow } from "./sessionRows";
import type { FileDifference } from "./sessionDifference";

export type SessionView = "chat" | "trace" | "raw";

/** Who runs the open session's turn: a session holds a lock that one tab has at a time. */
export type SessionRunner = "nobody" | "this-tab" | "another-tab";

/** A person's answer to a call that waits for them. */
export type ApprovalAnswer =
  | { readonly kind: "approve"; /** Replaces what the model asked for. */ readonly input?: JsonObject }
  | { readonly kind: "always" }
  | { readonly kind: "deny"; /** Told to the model. */ readonly words: string };

export interface SessionStoreState {
  /** Newest first. */
  readonly sessions: readonly SessionRecord[];
  /** The open session; absent before the first message of a new one. */
  readonly currentId: string | undefined;
  /** Everything shown of the open session: folded from its log, published at most once a frame. */
  readonly session: SessionState;
  /** The chat's lines, the same array until one comes, goes or folds. */
  readonly rows: readonly ChatRow[];
  /** A saved log is being read; how many of its events are in. */
  readonly loading: { readonly events: number; readonly ofEvents?: number } | undefined;
  readonly runner: SessionRunner;
  /** Stop was asked for and the turn has not ended yet. */
  readonly stopping: boolean;
  /** Every write asks the person first. */
  readonly asksBeforeWrites: boolean;
  /** Tools the person always allows in the open session. */
  readonly alwaysAllowed: ReadonlySet<string>;
  /** Writes are answered by a stand-in; fixed when a session is created. */
  readonly dryRun: boolean;
  readonly view: SessionView;
  /** Rows, groups and raw lines the person opened. */
  readonly openIds: ReadonlySet<string>;
  /** The step whose request is shown, by id. */
  readonly shownRequest: string | undefined;

  /** Runs a message in the open session, or in a new one; ends the turn that runs, if any. Resolves when its turn ends or parks. */
  readonly send: (message: string) => Promise<void>;
  readonly stop: () => void;
  readonly answer: (callId: string, answer: ApprovalAnswer) => Promise<void>;

  readonly open: (sessionId: string) => Promise<void>;
  /** Lets the open session go; the next message begins another. */
  readonly startNew: () => void;
  readonly rename: (sessionId: string, name: string) => Promise<void>;
  /** Takes a session off the list; it is deleted for good once the offer to undo is gone. */
  readonly remove: (sessionId: string) => Promise<void>;
  /** Sends a turn's message again, changed or not, as a new session that follows from this one. */
  readonly sendAgain: (turnId: string, message: string) => Promise<void>;

  readonly exportSession: (
    sessionId: string,
    format: "ndjson" | "zip",
  ) => Promise<{ readonly name: string; readonly contents: Blob }>;
  /** Saves a session from elsewhere and answers its id. Nothing of it runs. */
  readonly importSession: (file: { readonly name: string; readonly contents: Blob }) => Promise<string | undefined>;

  readonly setAsksBeforeWrites: (asks: boolean) => void;
  readonly setDryRun: (dryRun: boolean) => void;
  readonly setView: (view: SessionView) => void;
  readonly toggle: (id: string) => void;
  readonly showRequest: (stepId: string | undefined) => void;

  /** The open session's events so far; the array only grows. */
  readonly events: () => readonly SessionEvent[];
  /** The exact request of a step; absent when it was not kept. */
  readonly stepRequest: (stepId: string) => Promise<StepRequest | undefined>;
  /** What a finished call changed, file by file. */
  readonly callDifferences: (callId: string) => Promise<readonly FileDifference[]>;
  /** What a waiting call would change, with `input` in place of what the model asked. */
  readonly approvalDifference: (callId: string, input?: JsonObject) => Promise<FileDifference | undefined>;
  /** What the model read of a call's result. */
  readonly callOutputText: (callId: string) => string;
  /** A `data:` address for an image of the tree by its path; absent when `path` names none. */
  readonly imageFromTree: (path: string) => Promise<string | undefined>;
  readonly dispose: () => void;
}

export type SessionStore = StoreApi<SessionStoreState>;
