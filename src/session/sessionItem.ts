import type { JsonObject, JsonValue } from "../base";
import type { FileChange, FinishReason, InputRequest, Served } from "./sessionEvent";

/** What a person said. */
export interface UserItem {
  readonly kind: "user";
  readonly id: string;
  readonly turnId: string;
  readonly text: string;
  /** What came with the text, as the log has it: images. */
  readonly parts?: readonly JsonObject[];
  readonly at: string;
}

/** A block of the model's text. */
export interface AssistantItem {
  readonly kind: "assistant";
  readonly id: string;
  readonly turnId: string;
  /** `turn_0/0` */
  readonly stepId: string;
  readonly text: string;
  readonly done: boolean;
  readonly finishReason?: FinishReason;
  readonly at: string;
}

/** A block of the model's reasoning. */
export interface ReasoningItem {
  readonly kind: "reasoning";
  readonly id: string;
  readonly turnId: string;
  readonly stepId: string;
  readonly text: string;
  readonly done: boolean;
  readonly at: string;
}

/**
 * `writing`: the model is still writing the arguments · `requested`: on disk, not begun · `approval`: waits for a person
 * · `running` · `completed`, `failed`, `rejected`: over, for good.
 */
export type CallState = "writing" | "requested" | "approval" | "running" | "completed" | "failed" | "rejected";

/** One tool call from its first letter to its result. Its `id` is the call id. */
export interface CallItem {
  readonly kind: "call";
  readonly id: string;
  readonly turnId: string;
  readonly stepId: string;
  readonly toolName: string;
  /** Set for an MCP server's tool: the connection's name, and the tool's own. */
  readonly mcp?: { readonly connection: string; readonly tool: string };
  /** By the published names, whichever alias the model used; absent while it is being written. */
  readonly input?: JsonObject;
  /** What the model wrote, as far as it has come. */
  readonly inputText: string;
  readonly state: CallState;
  /** While running, the last snapshot the tool gave of it. */
  readonly output?: JsonValue;
  readonly error?: { readonly code: string; readonly message: string };
  readonly requestedAt: string;
  /** Of an import that says when it was requested: milliseconds since 1970. */
  readonly importedRequestMs?: number;
  readonly durationMs?: number;
  readonly served: readonly Served[];
  readonly changes: readonly FileChange[];
  readonly stub?: boolean;
  /** What a person is or was asked about this call. */
  readonly approval?: InputRequest;
  /** Index of the first event about this call. */
  readonly firstEvent: number;
  /** Index of the last event about this call. */
  readonly lastEvent: number;
}

/** A thing to know that nobody said: a failed turn, a retry, an edit in between, an event this version does not know. */
export interface NoticeItem {
  readonly kind: "notice";
  readonly id: string;
  readonly turnId?: string;
  readonly tone: "info" | "warn" | "bad";
  readonly text: string;
  readonly code?: string;
  /** Index of the event it tells of. */
  readonly eventIndex: number;
}

/** One row of a session. */
export type SessionItem = UserItem | AssistantItem | ReasoningItem | CallItem | NoticeItem;
