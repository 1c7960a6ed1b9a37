import type { EventOrigin, FinishReason, OfferedTool, Usage } from "../../../session";
import type { TraceMessage } from "./traceMessage";

/** A span of a trace, whoever wrote it, told by what it means for a session. */
export interface TraceSpan {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly traceId: string;
  readonly name: string;
  /** `turn`: what a person asked until it is answered. `other`: what frameworks do around and between. */
  readonly kind: "model" | "tool" | "agent" | "turn" | "other";
  /** Milliseconds since 1970; `undefined` when the span does not say. */
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly failure: string | undefined;
  /** The conversation it says it is of. */
  readonly conversation: string | undefined;
  /** Who recorded it: one call to a model may be recorded by two. */
  readonly scope: string;
  readonly origin: EventOrigin;
  readonly agentName: string | undefined;
  readonly modelId: string | undefined;
  readonly input: readonly TraceMessage[];
  readonly output: readonly TraceMessage[];
  readonly usage: Usage;
  readonly finishReason: FinishReason | undefined;
  readonly tools: readonly OfferedTool[];
  readonly tool: TraceToolCall | undefined;
  /** Whether a value was replaced by a word for it. */
  readonly masked: boolean;
}

/** The call a tool's span is of. */
export interface TraceToolCall {
  readonly callId: string | undefined;
  readonly name: string;
  readonly input: unknown;
  /** `undefined`: the recording leaves contents out. */
  readonly output: unknown;
}

/** What tells a span from all others: its id is its trace's alone. */
export function spanKey({ traceId, id }: Pick<TraceSpan, "traceId" | "id">): string {
  return `${traceId} ${id}`;
}

export function hasUsage(usage: Usage): boolean {
  return Object.keys(usage).length > 0;
}

export function finishReasonOf(reason: string | undefined): FinishReason | undefined {
  switch (reason?.toLowerCase().replaceAll("-", "_")) {
    case undefined:
      return undefined;
    case "stop":
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "length":
    case "max_tokens":
      return "length";
    case "tool_calls":
    case "tool_call":
    case "tool_use":
    case "function_call":
      return "tool-calls";
    case "content_filter":
    case "safety":
    case "refusal":
      return "content-filter";
    case "error":
      return "error";
    default:
      return "other";
  }
}
