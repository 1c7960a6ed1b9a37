import type { StoreApi } from "zustand/vanilla";
import type { JsonObject } from "../base";
import type { SessionRecord } from "../storage";
import type { MadeFork } from "./forkSessionState";
import type { FileDifference } from "./sessionDifference";
import type { ImportOffer, SessionImport, SessionSource } from "./sessionImport";
import type { SessionLook } from "./sessionLook";

export type SessionView = "chat" | "trace" | "raw";

/** Who runs the open session's turn: a session holds a lock that one tab has at a time. */
export type SessionRunner = "nobody" | "this-tab" | "another-tab";

/** A person's answer to a call that waits for them. */
export type ApprovalAnswer =
  | { readonly kind: "approve"; /** Replaces what the model asked for. */ readonly input?: JsonObject }
  | { readonly kind: "always" }
  | { readonly kind: "deny"; /** Told to the model. */ readonly words: string };

/** The sessions of a project; the look is that of the open one. */
export interface SessionStoreState extends SessionLook {
  /** Newest first. */
  readonly sessions: readonly SessionRecord[];
  /** The open session; absent before the first message of a new one. */
  readonly currentId: string | undefined;
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
  /** The instant the session takes for now; fixed when a session is created. */
  readonly asOf: string | undefined;
  readonly view: SessionView;
  /** A message needs a model: the menu that names one is to be open. */
  readonly asksForModel: boolean;

  /** Runs a message in the open session, or in a new one; ends the turn that runs, if any. Resolves when its turn ends or parks. */
  readonly send: (message: string) => Promise<void>;
  readonly stop: () => void;
  readonly answer: (callId: string, answer: ApprovalAnswer) => Promise<void>;

  readonly open: (sessionId: string) => Promise<void>;
  /** Lets the open session go; the next message begins another. */
  readonly startNew: () => void;
  readonly rename: (sessionId: string, name: string) => Promise<void>;
  /** Takes sessions off the list; they are deleted for good once the offer to undo is gone. */
  readonly remove: (...sessionIds: readonly string[]) => Promise<void>;
  /** Shows a fork that was stored, and lets it go on on files of its own. */
  readonly takeFork: (fork: MadeFork) => Promise<void>;
  /** Sends a turn's message again, changed or not, as a new session that follows from this one. */
  readonly sendAgain: (turnId: string, message: string) => Promise<void>;

  readonly exportSession: (
    sessionId: string,
    format: "ndjson" | "zip",
  ) => Promise<{ readonly name: string; readonly contents: Blob }>;
  /** Imports that go on; the page stays as usable as ever. */
  readonly imports: readonly SessionImport[];
  /**
   * Saves the sessions of a file, folder or archive in any known format and answers the id of the first. Nothing of it runs.
   * `undefined` when a notice said why not, or when it was stopped.
   *
   * @param offer what the notice of the import offers once it is there; must not throw
   */
  readonly importSessions: (source: SessionSource, offer?: ImportOffer) => Promise<string | undefined>;
  /** The same of one file. */
  readonly importSession: (file: { readonly name: string; readonly contents: Blob }) => Promise<string | undefined>;
  /** The same of a link that holds a session (`#session=…`, docs/trajectory.md, section 6). */
  readonly importLink: (fragment: string) => Promise<string | undefined>;
  /** Stops an import; what was stored of it is taken back. */
  readonly cancelImport: (importId: string) => void;

  readonly setAsksBeforeWrites: (asks: boolean) => void;
  readonly setDryRun: (dryRun: boolean) => void;
  /** For the session that begins next; nothing takes it back. Answers why it cannot be used, or nothing when it is set. */
  readonly setAsOf: (asOf: string | undefined) => Promise<string | undefined>;
  readonly setView: (view: SessionView) => void;
  readonly setAsksForModel: (asks: boolean) => void;

  /** What a waiting call would change, with `input` in place of what the model asked. */
  readonly approvalDifference: (callId: string, input?: JsonObject) => Promise<FileDifference | undefined>;
  /** Ends what runs and deletes what was removed; resolves when all of it is written. */
  readonly dispose: () => Promise<void>;
}

export type SessionStore = StoreApi<SessionStoreState>;
