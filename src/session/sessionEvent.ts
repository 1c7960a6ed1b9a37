import type { JsonObject, JsonValue } from "../base";
import type { EventOrigin, ImportFidelity, ImportWarning, RecordedSession } from "./importedSession";
import type { OfferedTool } from "./offeredTool";

/**
 * The vocabulary of a session's log (docs/trajectory.md): the published `eve` stream, version 26, and our additions,
 * marked (ours). A log is these events in order, one a line; order is the line index, never the id.
 */
export const EVENT_STREAM_VERSION = "26";

/** The number of our own additions; a log with a higher one is refused with a typed error. */
export const PLAYGROUND_SCHEMA = 1;

export interface EventMeta {
  /** `evt_<ULID>` */
  readonly id: string;
  /** ISO-8601, UTC, milliseconds. */
  readonly at: string;
  /** (ours) Of an import: where in the file it comes from. */
  readonly origin?: EventOrigin;
  /** (ours) Of an import: `at` is a placeholder, as the file says no time, or a time whose zone the file does not say. */
  readonly time?: "missing" | "naive";
  /** (ours) Of an import: copied context or a demonstration; shown, and no part of what was run. */
  readonly replay?: false;
}

interface Turn {
  /** `turn_0`, `turn_1`, … */
  readonly turnId: string;
  /** The turn's number. */
  readonly sequence: number;
}

interface Step extends Turn {
  readonly stepIndex: number;
}

/** A provider's own data on a part, kept verbatim to be sent back. */
export type ProviderMetadata = JsonObject;

export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other";

/** Figures a provider did not report are absent: unknown, never 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly costUsd?: number;
}

export interface ToolCallAction {
  readonly kind: "tool-call";
  readonly callId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  /** (ours) */
  readonly providerMetadata?: ProviderMetadata;
  /** (ours) What the model wrote, when that was no JSON object; `input` is then empty. */
  readonly inputText?: string;
  /** (ours) Set where an MCP server's tool is called: the connection's name, and the tool's own. */
  readonly mcp?: { readonly connection: string; readonly tool: string };
}

export interface RecordedMount {
  readonly prefix: string;
  /** `memory`, `idb`, … as the project's mount table says. */
  readonly kind: string;
  readonly readOnly: boolean;
}

/** (ours) What a session ran with: enough to replay it elsewhere. */
export interface PlaygroundStart {
  readonly schema: number;
  readonly sessionId: string;
  readonly definition: JsonObject;
  readonly definitionHash: string;
  readonly model: JsonObject;
  readonly tools: readonly OfferedTool[];
  readonly mounts: readonly RecordedMount[];
  /** Root hash of the tree the session began on, kept with the session. */
  readonly snapshot: string;
  readonly seed: string;
  /** When it began, ISO-8601: the time the model is told. Recorded again with the same one, requests are the same. */
  readonly startedAt?: string;
  readonly dryRun?: boolean;
  /** The instant the session takes for now, ISO-8601 with a zone. */
  readonly asOf?: string;
  /** A subagent's: the call of its parent that it works for. It takes no further message. */
  readonly task?: { readonly sessionId: string; readonly callId: string };
  /** A fork's: where it left the session it comes from, and what it does otherwise. It runs on files of its own. */
  readonly fork?: RecordedFork;
}

/** (ours) Where a fork comes from. */
export interface RecordedFork {
  /** The session's id where the fork was made. */
  readonly from: string;
  /** The step it goes on with, from 1. */
  readonly step: number;
  /** The event of the old log it was made at. */
  readonly eventIndex: number;
  readonly edit: "none" | "instructions" | "message" | "tool-result" | "file";
  /** The tree it began with: the old session's own, that of the mounts as they were then, or one inferred. */
  readonly files: "snapshot" | "mounts" | "inferred";
}

/** Who answered a part of a tool call. */
export interface Served {
  /** The mount's prefix. */
  readonly mount: string;
  readonly path: string;
  readonly verb: string;
  /** The layer of an overlay that had the answer, by the prefix of its mount. */
  readonly layer?: string;
}

/** A file a call changed, by content hash; a side without a hash did not exist. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** Bytes of the side `after`. */
  readonly sizeBytes?: number;
}

/** (ours) A file's whole text as a recording shows it: what was read, or what was there before or after a change. */
export interface FileEvidence {
  readonly path: string;
  readonly blob: string;
  readonly sizeBytes: number;
  readonly known: "full" | "before" | "after";
}

export interface ToolResult {
  readonly kind: "tool-result";
  readonly callId: string;
  readonly toolName: string;
  readonly output: JsonValue;
  readonly isError?: boolean;
}

export interface InputRequest {
  readonly requestId: string;
  readonly kind: "tool-approval" | "question";
  readonly prompt: string;
  readonly display?: "confirmation" | "select" | "text";
  readonly options?: readonly { readonly id: string; readonly label: string }[];
  readonly action: ToolCallAction;
  /** (ours) SHA-256 of the canonical input: an approval is bound to it. */
  readonly inputHash?: string;
  /**
   * (ours) Of a subagent's call: the call of `task` it works for, and its own request in its own log. The id of `action` is
   * then made of both, and no call of this session.
   */
  readonly task?: { readonly callId: string; readonly requestId: string };
}

/**
 * `response` of an approval: `optionId` is the option chosen, `text` a word to the model, and (ours) `input` the
 * arguments a person put in the place of the model's.
 */
export interface InputResolution {
  readonly requestId: string;
  readonly kind: "tool-approval" | "question";
  readonly outcome: "answered" | "approved" | "cancelled" | "denied" | "ignored" | "invalid";
  readonly response?: JsonObject;
  /** (ours) The hash of the arguments a person was shown; an approval for other ones is refused. */
  readonly inputHash?: string;
}

export interface EventData {
  "session.started": {
    readonly runtime: { readonly agentId: string; readonly agentName?: string; readonly eveVersion: string };
    readonly predecessor?: { readonly sessionId: string };
    /** (ours) */
    readonly playground?: PlaygroundStart;
  };
  /** (ours) */
  "ab.assigned": { readonly name: string; readonly variant: string; readonly label: string };
  /** (ours) A person's edit, revert or mount change in mid-session, or the files a message brings along (`seed`). */
  "tree.changed": {
    readonly reason: "edit" | "revert" | "mounts" | "seed";
    readonly changes: readonly FileChange[];
    /** The mount table as it is now; with `mounts`. */
    readonly mounts?: readonly RecordedMount[];
    readonly snapshot?: string;
  };
  /** (ours) Second in the log of an import: what file it comes from, and how much of what happened that file tells. */
  "import.source": {
    readonly format: string;
    readonly version: string;
    /** Of the file's bytes; of several files, of their paths and hashes in order. */
    readonly sha256: string;
    readonly fileName?: string;
    readonly warnings: readonly ImportWarning[];
    readonly fidelity: ImportFidelity;
    readonly session: RecordedSession;
  };
  /** (ours) An entry of an imported file that is no event of ours, as it was. */
  "import.entry": Partial<Step> & { readonly kind: string; readonly raw: JsonValue };
  "compaction.requested": Step & {
    readonly sessionId: string;
    readonly modelId: string;
    readonly usageInputTokens: number | null;
  };
  "compaction.completed": Step & {
    readonly sessionId: string;
    readonly modelId: string;
    /** (ours) What stands for the history from here on, where the recording says it. */
    readonly summary?: string;
    /** (ours) */
    readonly tokensAfter?: number;
  };
  /** (ours) */
  "agent.changed": { readonly definitionHash: string; readonly definition?: JsonObject };
  /** (ours) In place of events of a stored log that cannot be read, one for each; the first says how many, the others 0. */
  "log.damaged": { readonly lostCount: number };
  "turn.started": Turn;
  "message.received": Turn & { readonly message: string; readonly parts?: readonly JsonObject[] };
  "step.started": Step & {
    readonly modelId: string;
    /** (ours) The exact request, credentials aside: its hash, and the hash of the stored value. */
    readonly request?: { readonly hash: string; readonly blob: string };
  };
  /** (ours) A model call sent again, and why. */
  "step.retried": Step & {
    readonly attempt: number;
    readonly reason: string;
    readonly code: string;
    readonly delayMs: number;
  };
  "reasoning.appended": Step & { readonly reasoningDelta: string };
  "reasoning.completed": Step & { readonly reasoning: string; readonly providerMetadata?: ProviderMetadata };
  "message.appended": Step & { readonly messageDelta: string };
  "message.completed": Step & {
    readonly message: string;
    readonly finishReason: FinishReason;
    readonly providerMetadata?: ProviderMetadata;
  };
  "action.input.appended": Step & {
    readonly callId: string;
    readonly toolName: string;
    readonly inputTextDelta: string;
  };
  "actions.requested": Step & { readonly actions: readonly ToolCallAction[] };
  "input.requested": Step & { readonly requests: readonly InputRequest[] };
  "input.resolved": Step & { readonly resolutions: readonly InputResolution[] };
  "action.partial": Step & { readonly result: ToolResult };
  "action.result": Step & {
    readonly status: "completed" | "failed" | "rejected";
    readonly error?: { readonly code: string; readonly message: string };
    readonly result: ToolResult;
    readonly toolName: string;
    /** (ours) */
    readonly durationMs?: number;
    /** (ours) A dry run's stand-in. */
    readonly stub?: boolean;
    /** (ours) */
    readonly served?: readonly Served[];
    /** (ours) */
    readonly changes?: readonly FileChange[];
    /** (ours) Of an import: the recording holds a part of the output only. */
    readonly truncated?: true;
    /** (ours) Of an import: the recording says that the call ended, and not with what. */
    readonly absent?: true;
    /** (ours) Of an import: whole texts of files as the recording shows them at this call. */
    readonly evidence?: readonly FileEvidence[];
  };
  "step.completed": Step & { readonly finishReason: FinishReason; readonly usage?: Usage };
  "step.failed": Step & { readonly code: string; readonly message: string; readonly details?: JsonObject };
  "turn.waiting": Turn & { readonly on: "input" };
  "turn.completed": Turn;
  "turn.failed": Turn & { readonly code: string; readonly message: string; readonly terminal?: boolean };
  "turn.cancelled": Turn;
  "session.waiting": {
    readonly continuationToken: string;
    readonly wait: "next-user-message";
    readonly usage?: Usage;
  };
  "session.completed": { readonly usage?: Usage };
  "session.failed": { readonly code: string; readonly message: string; readonly sessionId: string };
}

export type SessionEventType = keyof EventData;

export type SessionEventOf<Type extends SessionEventType> = {
  readonly type: Type;
  readonly data: EventData[Type];
  readonly meta: EventMeta;
};

/** An event whose type this version knows; narrow it by `type`. */
export type KnownSessionEvent = { [Type in SessionEventType]: SessionEventOf<Type> }[SessionEventType];

/**
 * One line of a log. A log read from elsewhere may hold types this version does not know: they pass through every
 * reader as they are and are shown raw, so a `switch` over `type` needs a `default`.
 */
export type SessionEvent = KnownSessionEvent;
