import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import { limits } from "../base";
import { ModelError } from "./modelError";
import { modelFailure, type ModelFailure } from "./modelFailure";
import { surrogateJoiner, wellFormed, type SurrogateJoiner } from "./wellFormed";

/** What a guarded stream yields: the provider's parts, and as the last one `finish` or `failed`, never both. */
export type GuardedPart =
  | Exclude<LanguageModelV4StreamPart, { type: "error" } | { type: "ping" }>
  | { readonly type: "failed"; readonly failure: ModelFailure };

export interface GuardOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of silence that count as a stall. */
  readonly stallMs?: number;
}

/**
 * Opens a model's stream and makes it safe to consume (docs/models.md, Wire rules): exactly one terminal part whatever
 * the provider does; a cut, a stall and a stop are told apart; each tool call comes once by its id, with a JSON text as
 * input; characters cut in two are joined. Never throws; leaving the iteration cancels the provider's stream.
 *
 * @param open calls the model; what it throws becomes the terminal part
 */
export async function* guardedStream(
  open: () => PromiseLike<LanguageModelV4StreamResult>,
  options: GuardOptions = {},
): AsyncGenerator<GuardedPart, void, undefined> {
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  let ended = false;
  const mend = partMender();
  try {
    const opened = Promise.resolve().then(open);
    void opened.then(
      // A stream that opens after it was given up is cancelled, not leaked.
      ({ stream }) => (ended ? void stream.cancel().catch(() => undefined) : undefined),
      () => undefined,
    );
    const { stream } = await unlessSilent(opened, options);
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await unlessSilent(reader.read(), options, true);
      if (done) throw new ModelError("cut", "The model's stream ended before the model was done.");
      if (value.type === "error") throw value.error;
      if (value.type === "finish") refuseFailedFinish(value.finishReason);
      yield* mend(value);
      if (value.type === "finish") return;
    }
  } catch (error) {
    yield { type: "failed", failure: modelFailure(error) };
  } finally {
    ended = true;
    void reader?.cancel().catch(() => undefined);
  }
}

/** A provider may end with its finish part although the model did not come to an end. */
function refuseFailedFinish({ unified, raw }: LanguageModelV4FinishReason): void {
  if (unified === "interrupted") throw new ModelError("cut", "The model's stream ended before the model was done.");
  if (unified === "error")
    throw new ModelError("server", `The model ended with an error (${raw ?? "no reason given"}).`);
}

/** The promise, unless nothing comes for too long or the caller stops first. */
async function unlessSilent<T>(promise: Promise<T>, options: GuardOptions, streaming = false): Promise<T> {
  const { signal, stallMs = limits.modelStallMs } = options;
  let giveUp: (reason: ModelError) => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => (giveUp = reject));
  const stop = (): void => giveUp(new ModelError("aborted", "stopped"));
  const timer = setTimeout(() => {
    giveUp(new ModelError("stall", `The model sent nothing for ${Math.round(stallMs / 1_000)} s.`));
  }, stallMs);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  try {
    return await Promise.race([givenUp, promise]);
  } catch (error) {
    if (signal?.aborted) throw new ModelError("aborted", "stopped", error);
    throw streaming ? cutError(error) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** A connection that breaks while the model speaks is a cut: what came before it was real. */
function cutError(error: unknown): unknown {
  if (error instanceof ModelError) return error;
  const { code } = modelFailure(error);
  if (code !== "network" && code !== "unknown") return error;
  return new ModelError("cut", "The connection broke before the model was done.", error);
}

function partMender(): (part: LanguageModelV4StreamPart) => Generator<GuardedPart, void, undefined> {
  const joiners = new Map<string, SurrogateJoiner>();
  const seen = new Set<string>();
  const joinerOf = (key: string): SurrogateJoiner => {
    const joiner = joiners.get(key) ?? surrogateJoiner();
    joiners.set(key, joiner);
    return joiner;
  };
  return function* mend(part) {
    switch (part.type) {
      case "ping":
      case "error":
        return;
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta": {
        const delta = joinerOf(`${part.type} ${part.id}`).push(part.delta);
        if (delta !== "") yield { ...part, delta };
        return;
      }
      case "text-end":
      case "reasoning-end":
      case "tool-input-end": {
        const type = part.type.replace("-end", "-delta") as "text-delta" | "reasoning-delta" | "tool-input-delta";
        const delta = joinerOf(`${type} ${part.id}`).end();
        if (delta !== "") yield { type, id: part.id, delta };
        yield part;
        return;
      }
      case "tool-call":
        if (seen.has(part.toolCallId)) return;
        seen.add(part.toolCallId);
        yield { ...part, input: inputText(part) };
        return;
      default:
        yield part;
    }
  };
}

/** No arguments are `{}`; an object where its text is due is accepted. */
function inputText(call: LanguageModelV4ToolCall): string {
  const input: unknown = call.input;
  if (typeof input !== "string") return JSON.stringify(input ?? {});
  return input.trim() === "" ? "{}" : wellFormed(input);
}
