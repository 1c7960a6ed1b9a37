import type { JsonValue } from "../../base";
import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from "../../model";
import type { ProviderMetadata, SessionEvent, Usage } from "../../session";
import { soundEvents } from "../soundEvents";
import { taskLogOf } from "./recordedCalls";

/** One model call of a recording, as a model would give it again. */
export interface RecordedStep {
  readonly modelId: string;
  /** SHA-256 of the exact request; absent in recordings of other programs. */
  readonly requestHash?: string;
  /** Index of the event `step.started`; a subagent's step has that of the step it works for. */
  readonly eventIndex: number;
  /** Failures before the attempt that stands, with the wait after each. */
  readonly retries: readonly { readonly code: string; readonly reason: string; readonly delayMs: number }[];
  readonly parts: readonly LanguageModelV4StreamPart[];
  /** `failed`: the stream broke with it · `hangs`: a person stopped it before it ended. */
  readonly end:
    | { readonly kind: "finish" | "hangs" }
    | { readonly kind: "failed"; readonly code: string; readonly message: string };
}

/** The model calls of a log in the order they were made; a subagent's after the step that gave it its task. */
export function recordedSteps(recording: readonly SessionEvent[]): RecordedStep[] {
  const events = soundEvents(recording);
  const steps: RecordedStep[] = [];
  const partials = new Map<string, JsonValue>();
  for (const event of events)
    if (event.type === "action.partial") partials.set(event.data.result.callId, event.data.result.output);
  const logs = new Map<string, readonly SessionEvent[]>();
  for (const event of events) {
    if (event.type !== "action.result" || event.data.result.toolName !== "task") continue;
    const { callId, output } = event.data.result;
    const log = taskLogOf(output);
    logs.set(callId, log.length > 0 ? log : taskLogOf(partials.get(callId)));
  }
  for (let index = 0; index < events.length; index++) {
    const started = events[index];
    if (started?.type !== "step.started" || started.meta.replay === false) continue;
    const own = eventsOfStep(events, index, started.data.stepIndex);
    const { modelId, request } = started.data;
    const fold = new StepParts(own);
    steps.push({
      modelId,
      eventIndex: index,
      ...(request === undefined ? {} : { requestHash: request.hash }),
      ...fold.result(),
    });
    for (const event of own)
      if (event.type === "actions.requested")
        for (const { callId } of event.data.actions)
          for (const nested of recordedSteps(logs.get(callId) ?? [])) steps.push({ ...nested, eventIndex: index });
  }
  return steps;
}

function eventsOfStep(events: readonly SessionEvent[], start: number, stepIndex: number): SessionEvent[] {
  const own: SessionEvent[] = [];
  for (let index = start + 1; index < events.length; index++) {
    const event = events[index];
    if (event === undefined || event.type === "step.started" || event.type === "turn.started") break;
    if ("stepIndex" in event.data && event.data.stepIndex === stepIndex) own.push(event);
  }
  return own;
}

interface Block {
  readonly id: string;
  readonly kind: "text" | "reasoning";
  readonly text: string;
  readonly metadata: ProviderMetadata | undefined;
  fedLength: number;
  isStarted: boolean;
}

/** The events of one step as the parts of a stream that gives the same events again. */
class StepParts {
  readonly #events: readonly SessionEvent[];
  readonly #parts: LanguageModelV4StreamPart[] = [];
  /** In the order their ends were told, which is the order they began in. */
  readonly #blocks: Block[] = [];
  readonly #inputs = new Set<string>();
  readonly #retries: { code: string; reason: string; delayMs: number }[] = [];
  #hasCalls = false;

  constructor(events: readonly SessionEvent[]) {
    this.#events = events;
    for (const event of events) {
      if (event.type === "message.completed") this.#block("text", event.data.message, event.data.providerMetadata);
      if (event.type === "reasoning.completed")
        this.#block("reasoning", event.data.reasoning, event.data.providerMetadata);
    }
  }

  result(): Pick<RecordedStep, "retries" | "parts" | "end"> {
    let ended = 0;
    for (const event of this.#events) {
      if (event.type === "message.completed" || event.type === "reasoning.completed") this.#end(this.#blocks[ended++]);
      else this.#add(event);
    }
    return { retries: this.#retries, parts: this.#parts, end: this.#streamEnd() };
  }

  #add(event: SessionEvent): void {
    switch (event.type) {
      case "step.retried": {
        const { code, reason, delayMs } = event.data;
        this.#retries.push({ code, reason, delayMs });
        break;
      }
      case "message.appended":
        this.#delta("text", event.data.messageDelta);
        break;
      case "reasoning.appended":
        this.#delta("reasoning", event.data.reasoningDelta);
        break;
      case "action.input.appended": {
        const { callId, toolName, inputTextDelta } = event.data;
        if (!this.#inputs.has(callId)) this.#parts.push({ type: "tool-input-start", id: callId, toolName });
        this.#inputs.add(callId);
        this.#parts.push({ type: "tool-input-delta", id: callId, delta: inputTextDelta });
        break;
      }
      case "actions.requested":
        this.#hasCalls = true;
        for (const { callId, toolName, input, inputText, providerMetadata } of event.data.actions) {
          if (this.#inputs.has(callId)) this.#parts.push({ type: "tool-input-end", id: callId });
          this.#parts.push({
            type: "tool-call",
            toolCallId: callId,
            toolName,
            input: inputText ?? JSON.stringify(input),
            ...metadataOf(providerMetadata),
          });
        }
        break;
      // Results and people are no part of what a model says.
      default:
    }
  }

  #streamEnd(): RecordedStep["end"] {
    const ended = this.#events.findLast(({ type }) => type === "step.completed" || type === "step.failed");
    if (ended?.type === "step.completed" || (ended?.type === "step.failed" && this.#hasCalls)) {
      const reason = ended.type === "step.completed" ? ended.data.finishReason : "tool-calls";
      const usage = usageFrom(ended.type === "step.completed" ? ended.data.usage : undefined);
      this.#parts.push({ type: "finish", finishReason: { unified: reason, raw: undefined }, usage });
      return { kind: "finish" };
    }
    if (ended?.type !== "step.failed" || ended.data.code === "interrupted") return { kind: "hangs" };
    return { kind: "failed", code: ended.data.code, message: ended.data.message };
  }

  #block(kind: Block["kind"], text: string, metadata: ProviderMetadata | undefined): Block {
    const block: Block = { id: `${kind}_${this.#blocks.length}`, kind, text, metadata, fedLength: 0, isStarted: false };
    this.#blocks.push(block);
    return block;
  }

  /** The first block of its kind that goes on with the delta; one without an end where none does. */
  #delta(kind: Block["kind"], delta: string): void {
    const fits = (block: Block): boolean => block.kind === kind && block.text.startsWith(delta, block.fedLength);
    const block = this.#blocks.find(fits) ?? this.#unendedBlock(kind);
    this.#begin(block);
    this.#feed(block, delta);
  }

  #unendedBlock(kind: Block["kind"]): Block {
    const last = this.#blocks.at(-1);
    return last?.kind === kind && last.text === "" && last.metadata === undefined
      ? last
      : this.#block(kind, "", undefined);
  }

  #feed(block: Block, delta: string): void {
    this.#parts.push({ type: `${block.kind}-delta`, id: block.id, delta });
    block.fedLength += delta.length;
  }

  /** Blocks begin in the order of their ends, whatever comes first of them. */
  #begin(block: Block): void {
    for (const earlier of this.#blocks.slice(0, this.#blocks.indexOf(block) + 1)) {
      if (earlier.isStarted) continue;
      earlier.isStarted = true;
      this.#parts.push({ type: `${earlier.kind}-start`, id: earlier.id });
    }
  }

  #end(block: Block | undefined): void {
    if (block === undefined) return;
    this.#begin(block);
    // A recording of another program has the text whole and no pieces of it.
    if (block.fedLength < block.text.length) this.#feed(block, block.text.slice(block.fedLength));
    this.#parts.push({ type: `${block.kind}-end`, id: block.id, ...metadataOf(block.metadata) });
  }
}

function metadataOf(metadata: ProviderMetadata | undefined): { providerMetadata?: SharedV4ProviderMetadata } {
  return metadata === undefined ? {} : { providerMetadata: metadata as unknown as SharedV4ProviderMetadata };
}

function usageFrom(usage: Usage | undefined): LanguageModelV4Usage {
  return {
    inputTokens: {
      total: usage?.inputTokens,
      noCache: undefined,
      cacheRead: usage?.cacheReadTokens,
      cacheWrite: usage?.cacheWriteTokens,
    },
    outputTokens: { total: usage?.outputTokens, text: undefined, reasoning: undefined },
  };
}
