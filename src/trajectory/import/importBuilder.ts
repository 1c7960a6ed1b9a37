import type { JsonObject } from "../../base";
import type {
  EventOrigin,
  FileEvidence,
  FinishReason,
  ImportFidelity,
  OfferedTool,
  SessionEvent,
  Usage,
} from "../../session";

/** What is known of a session; all of it may come at any time. */
export interface SessionAbout {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly agentName?: string | undefined;
  readonly agentVersion?: string | undefined;
  readonly modelId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly instructions?: string | undefined;
  readonly tools?: readonly OfferedTool[] | undefined;
  /** The session it works for, by its key, and the call it answers. */
  readonly parent?: { readonly key: string; readonly callId?: string | undefined } | undefined;
  /** The session it goes on from, by its key or its id. */
  readonly predecessor?: string | undefined;
  /** What a branch that is not the newest is called. */
  readonly branch?: string | undefined;
}

/** Where something stands in the file, and when it happened. */
export interface Where {
  readonly origin?: EventOrigin | undefined;
  /** As `instant` reads it; `undefined`: the file does not say. */
  readonly at?: string | number | Date | undefined;
  /** Whether `at` names no zone; found out by itself for ISO texts. */
  readonly naive?: boolean | undefined;
  /** Copied context or a demonstration: shown, never counted. */
  readonly replay?: false | undefined;
}

export interface CallDraft {
  readonly callId?: string | undefined;
  readonly toolName: string;
  /** An object; or a text, parsed when it is JSON of one and kept as it is when not. */
  readonly input?: unknown;
  readonly providerMetadata?: JsonObject | undefined;
}

export interface ResultDraft {
  readonly callId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly output?: unknown;
  readonly status?: "completed" | "failed" | "rejected" | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly durationMs?: number | undefined;
  readonly truncated?: boolean | undefined;
  readonly absent?: boolean | undefined;
}

export interface ApprovalDraft {
  readonly callId: string;
  readonly prompt?: string | undefined;
  readonly outcome: "approved" | "denied" | "pending";
  readonly text?: string | undefined;
}

export interface QuestionDraft {
  readonly callId?: string | undefined;
  readonly prompt: string;
  readonly answer?: string | undefined;
}

export interface CompactionDraft {
  readonly summary?: string | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
}

export type TurnEnd =
  | { readonly kind: "completed" }
  | {
      readonly kind: "failed" | "cancelled";
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    };

/**
 * One session being written down. Events are made in the order of the calls; what a recording leaves open is closed: a
 * step by the next one, a turn by the next message, a call by its turn. Never throws.
 */
export interface SessionDraft {
  /** Adds to what is known; fields that are given win over those from before. */
  about(patch: SessionAbout): void;
  /** A person's message: ends the turn before it and begins one. */
  user(message: string, where: Where & { readonly parts?: readonly JsonObject[] | undefined }): void;
  /** Begins a model's response, in a turn of its own if none is open. The id of the open step goes on with it. */
  step(where: Where & { readonly id?: string | undefined; readonly modelId?: string | undefined }): void;
  /** Text the model thought; begins a step if none is open. Empty texts are left out, but for a provider's data on them. */
  reasoning(text: string, where: Where & { readonly providerMetadata?: JsonObject | undefined }): void;
  message(text: string, where: Where): void;
  /** @returns the call's id, made where the recording has none, or the same one twice */
  call(call: CallDraft, where: Where): string;
  /** The result of a call: by its id, else of the oldest open call (of that name, where one is given). */
  result(result: ResultDraft, where: Where): void;
  /**
   * A person's decision about a call. Its result follows with `result`; a denied one without any gets one. `pending`: the
   * person was asked, and the recording holds no answer.
   */
  approval(approval: ApprovalDraft, where: Where): void;
  question(question: QuestionDraft, where: Where): void;
  /**
   * Usage of the open or else the last step. `per-call` figures win over those from before; `cumulative` ones are totals
   * so far, of which what is new is added.
   */
  usage(usage: Usage, how: "per-call" | "cumulative"): void;
  finish(reason: FinishReason): void;
  stepFailed(code: string, message: string, where: Where): void;
  endTurn(how: TurnEnd, where: Where): void;
  compaction(compaction: CompactionDraft, where: Where): void;
  /** An entry that is nothing of ours: kept raw. */
  note(kind: string, raw: unknown, where: Where): void;
  /** Instructions; once the first turn has begun, an entry. */
  system(text: string, where: Where): void;
  /** Puts an image into the blobs. @returns the part of a message or an output that stands for it */
  image(content: string | Uint8Array, mediaType: string): JsonObject;
  /** What the recording tells of a file at the last result: its whole text as read, before or after a change. */
  file(path: string, text: string, known: FileEvidence["known"]): void;
}

/** A log that is one already, taken as it is. */
export interface AdoptedSession {
  readonly events: readonly SessionEvent[];
  readonly id?: string | undefined;
  readonly title?: string | undefined;
}

/** Where a format puts what it finds. Never throws. */
export interface ImportBuilder {
  /** The session of a key, begun when it is new. The order of the first use is their order. */
  session(key: string, about?: SessionAbout): SessionDraft;
  adopt(session: AdoptedSession): void;
  warn(warning: {
    readonly code: string;
    readonly message?: string | undefined;
    readonly origin?: EventOrigin | undefined;
    readonly pointer?: string | undefined;
    readonly kept?: boolean | undefined;
  }): void;
  /** The version the file says it has. */
  version(version: string): void;
  /** Fidelity that only the format knows; times, ids and usage follow from what the sessions were told. */
  fidelity(part: Partial<ImportFidelity>): void;
  /** Puts bytes into the blobs. @returns their hash */
  blob(bytes: Uint8Array): string;
}
