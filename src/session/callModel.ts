import {
  guardedStream,
  retryDelayMs,
  type GuardedPart,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Usage,
  type ModelFailure,
} from "../model";
import type { FinishReason, ProviderMetadata, SessionEvent, Usage } from "./sessionEvent";
import { StepBlocks } from "./stepBlocks";
import { INTERRUPTED, type StepPlace, type TurnFailure, type TurnRun } from "./turnRun";

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly callId: string;
  readonly toolName: string;
  readonly inputText: string;
  readonly providerMetadata?: ProviderMetadata;
}

export type ModelOutcome =
  | {
      readonly kind: "finished";
      readonly finishReason: FinishReason;
      readonly usage?: Usage;
      readonly calls: readonly WrittenCall[];
    }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

/** One model call, sent again while nothing of an answer was seen and the failure may pass. */
export async function* callModel(
  run: TurnRun,
  place: StepPlace,
  request: LanguageModelV4CallOptions,
): AsyncGenerator<SessionEvent, ModelOutcome> {
  const { services } = run.options;
  for (let attempt = 1; ; attempt++) {
    const stream = new StepStream(run, place);
    const failure = yield* stream.read(request);
    if (failure === undefined) return stream.outcome();
    if (failure.code === "aborted" || run.signal.aborted) return { kind: "failed", failure: INTERRUPTED };
    const message = run.scrub(failure.message);
    const delayMs = stream.hasAnswered ? undefined : retryDelayMs(failure, attempt, services.random);
    if (delayMs === undefined) return { kind: "failed", failure: { code: failure.code, message } };
    yield run.emit({ type: "step.retried", data: { ...place, attempt, reason: message, code: failure.code, delayMs } });
    await (services.wait ?? waitFor)(delayMs, run.signal).catch(() => undefined);
    if (run.signal.aborted) return { kind: "failed", failure: INTERRUPTED };
  }
}

/** One attempt. */
class StepStream {
  /** Whether anything of an answer came: it is in the log, so the call cannot be sent again as if nothing had been. */
  hasAnswered = false;
  readonly #run: TurnRun;
  readonly #place: StepPlace;
  readonly #blocks: StepBlocks;
  readonly #calls: WrittenCall[] = [];
  readonly #toolNames = new Map<string, string>();
  readonly #callIds = new Map<string, string>();
  readonly #usedCallIds: ReadonlySet<string>;
  #finish: Extract<GuardedPart, { type: "finish" }> | undefined;

  constructor(run: TurnRun, place: StepPlace) {
    this.#run = run;
    this.#place = place;
    this.#blocks = new StepBlocks(place);
    this.#usedCallIds = callIdsOf(run.log);
  }

  async *read(request: LanguageModelV4CallOptions): AsyncGenerator<SessionEvent, ModelFailure | undefined> {
    const { signal, options } = this.#run;
    const stream = guardedStream(() => options.services.model.doStream({ ...request, abortSignal: signal }), {
      signal,
      ...(options.stallMs === undefined ? {} : { stallMs: options.stallMs }),
    });
    for await (const part of stream) {
      if (part.type === "failed") return part.failure;
      yield* this.#add(part);
    }
    if (this.#finish?.finishReason.unified === "interrupted") {
      return { code: "cut", message: "The model's stream ended before the model was done.", retryable: true };
    }
    for (const draft of this.#blocks.end(this.#finishReason())) yield this.#run.emit(draft);
    return undefined;
  }

  outcome(): ModelOutcome {
    const usage = usageFrom(this.#finish?.usage);
    return {
      kind: "finished",
      finishReason: this.#finishReason(),
      calls: this.#calls,
      ...(usage === undefined ? {} : { usage }),
    };
  }

  *#add(part: Exclude<GuardedPart, { type: "failed" }>): Generator<SessionEvent> {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.hasAnswered = true;
        for (const draft of this.#blocks.add(part)) yield this.#run.emit(draft);
        break;
      case "tool-input-start":
        this.#toolNames.set(part.id, part.toolName);
        break;
      case "tool-input-delta": {
        this.hasAnswered = true;
        const callId = this.#callId(part.id);
        const toolName = this.#toolNames.get(part.id) ?? "";
        yield this.#run.emit({
          type: "action.input.appended",
          data: { ...this.#place, callId, toolName, inputTextDelta: part.delta },
        });
        break;
      }
      case "tool-call":
        this.hasAnswered = true;
        // What a provider runs on its own side is not ours to run.
        if (part.providerExecuted === true) break;
        this.#calls.push({
          callId: this.#callId(part.toolCallId),
          toolName: part.toolName,
          inputText: part.input,
          ...(part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata }),
        });
        break;
      case "finish":
        this.#finish = part;
        break;
      // Sources, files, metadata of the response: nothing of ours reads them.
      default:
    }
  }

  /** The provider's id, made new where an earlier step had the same: some servers count from zero in every answer. */
  #callId(id: string): string {
    const known = this.#callIds.get(id);
    if (known !== undefined) return known;
    const isUsed = this.#usedCallIds.has(id);
    const callId = isUsed || id === "" ? `${id}_${this.#place.sequence}_${this.#place.stepIndex}` : id;
    this.#callIds.set(id, callId);
    return callId;
  }

  /** `tool-calls` exactly when there are calls to run, whatever the server said: readers take it for "not yet over". */
  #finishReason(): FinishReason {
    if (this.#calls.length > 0) return "tool-calls";
    const reason = this.#finish?.finishReason.unified ?? "other";
    return reason === "tool-calls" || reason === "interrupted" ? "other" : reason;
  }
}

function callIdsOf(log: readonly SessionEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of log) {
    if (event.type === "action.input.appended") ids.add(event.data.callId);
    else if (event.type === "actions.requested") for (const action of event.data.actions) ids.add(action.callId);
  }
  return ids;
}

function usageFrom(usage: LanguageModelV4Usage | undefined): Usage | undefined {
  const figures = {
    inputTokens: usage?.inputTokens?.total,
    outputTokens: usage?.outputTokens?.total,
    cacheReadTokens: usage?.inputTokens?.cacheRead,
    cacheWriteTokens: usage?.inputTokens?.cacheWrite,
  };
  const known = Object.entries(figures).filter(([, figure]) => figure !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
