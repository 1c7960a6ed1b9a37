import { canonicalJson, sha256Hex } from "../../base";
import {
  ModelError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type ModelFailureCode,
} from "../../model";
import type { SessionEvent } from "../../session";
import { recordedSteps, type RecordedStep } from "./recordedSteps";

/** A model that says again what a recording says, one call after the other. */
export interface RecordedModel extends LanguageModelV4 {
  /** Model calls of the recording that were not played yet. */
  readonly remaining: number;
  /** The next step to be played; `undefined` when the recording is over. */
  readonly next: RecordedStep | undefined;
}

/**
 * Plays a log's model calls in their order, failures that were retried included; what it is asked does not matter. Fails
 * when the recording is over.
 */
export function recordedModel(events: readonly SessionEvent[]): RecordedModel {
  const steps = recordedSteps(events);
  let at = 0;
  let failures = 0;
  return {
    specificationVersion: "v4",
    provider: "recording",
    get modelId() {
      return steps[at]?.modelId ?? steps.at(-1)?.modelId ?? "recording";
    },
    get remaining() {
      return steps.length - at;
    },
    get next() {
      return steps[at];
    },
    supportedUrls: {},
    doGenerate: () => Promise.reject(new ModelError("bad-request", "A recording is only streamed.")),
    doStream(options) {
      const step = steps[at];
      if (step === undefined) return Promise.reject(new ModelError("unknown", "The recording is over."));
      const failure = step.retries[failures];
      if (failure !== undefined) {
        failures++;
        return Promise.reject(modelError(failure.code, failure.reason));
      }
      at++;
      failures = 0;
      return Promise.resolve({ stream: streamOf(step, options.abortSignal) });
    },
  };
}

export interface RecordedThenLiveOptions {
  readonly events: readonly SessionEvent[];
  /** Steps that begin before this event are passed over: those a fork has taken along. */
  readonly from?: number;
  readonly live: LanguageModelV4;
  /** The ids of the recorded session and of the one that runs: a request names its own. */
  readonly sessionIds?: { readonly recorded: string; readonly now: string };
  /** Takes keys out of a request before it is hashed, as the recording's driver did. */
  readonly scrub?: (text: string) => string;
  /** Told once, when the live model takes over: the number of steps played by then. */
  readonly onLive?: (playedSteps: number) => void;
}

/**
 * Plays the recording as long as every request is the recorded one, by its hash; from the first other request on the live
 * model answers. A recording that names no requests, as other programs' do, goes live at once: nobody can tell.
 */
export function recordedThenLive(options: RecordedThenLiveOptions): LanguageModelV4 {
  const { live, from = 0 } = options;
  const steps = recordedSteps(options.events).filter(({ eventIndex }) => eventIndex >= from);
  let at = 0;
  let failures = 0;
  let isLive = false;
  const goLive = (call: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult> => {
    if (!isLive) options.onLive?.(at);
    isLive = true;
    return live.doStream(call);
  };
  return {
    specificationVersion: "v4",
    provider: "recording",
    get modelId() {
      return (isLive ? undefined : steps[at]?.modelId) ?? live.modelId;
    },
    supportedUrls: live.supportedUrls,
    doGenerate: (call) => live.doGenerate(call),
    async doStream(call) {
      const step = steps[at];
      if (isLive || step?.requestHash === undefined || step.end.kind !== "finish") return await goLive(call);
      if ((await requestHash(call, options)) !== step.requestHash) return await goLive(call);
      const failure = step.retries[failures];
      if (failure !== undefined) {
        failures++;
        throw modelError(failure.code, failure.reason);
      }
      at++;
      failures = 0;
      return { stream: streamOf(step, call.abortSignal) };
    },
  };
}

/** The hash a turn gives a request: all of it but the signal it is stopped by. */
async function requestHash(
  { abortSignal: _signal, ...request }: LanguageModelV4CallOptions,
  { scrub, sessionIds }: Pick<RecordedThenLiveOptions, "scrub" | "sessionIds">,
): Promise<string> {
  const written = canonicalJson(request);
  const text = sessionIds === undefined ? written : written.replaceAll(sessionIds.now, () => sessionIds.recorded);
  return await sha256Hex(scrub?.(text) ?? text);
}

function streamOf(step: RecordedStep, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0;
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        const part = step.parts[next++];
        if (part !== undefined) controller.enqueue(part);
        else if (step.end.kind === "finish") controller.close();
        else if (step.end.kind === "failed") controller.error(modelError(step.end.code, step.end.message));
        else await stopped(signal);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A recording that was stopped says no more until it is stopped again. */
function stopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

const CODES: ReadonlySet<string> = new Set<ModelFailureCode>([
  "network",
  "cors",
  "blocked",
  "rate-limit",
  "quota",
  "auth",
  "server",
  "stall",
  "cut",
  "aborted",
  "bad-request",
  "unknown",
]);

function modelError(code: string, message: string): ModelError {
  return new ModelError(CODES.has(code) ? (code as ModelFailureCode) : "unknown", message);
}
