import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "../model";

/** What a scripted model does in one call. */
export type ScriptedStep =
  | { readonly parts: readonly (LanguageModelV4StreamPart | Promise<unknown>)[]; readonly hang?: boolean }
  | { readonly throws: unknown };

export interface ScriptedModel extends LanguageModelV4 {
  /** What it was asked, call by call. */
  readonly requests: readonly LanguageModelV4CallOptions[];
}

/**
 * A model that plays its steps one call after another and fails when it has none left. A promise among the parts is
 * waited for; `hang` leaves the stream open after the last part.
 */
export function scriptedModel(steps: readonly ScriptedStep[]): ScriptedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: "v4",
    provider: "test",
    modelId: "scripted",
    supportedUrls: {},
    requests,
    doGenerate: () => Promise.reject(new Error("only streams")),
    doStream(options) {
      const step = steps[requests.length];
      const { abortSignal: _signal, ...request } = options;
      requests.push(structuredClone(request));
      if (step === undefined) return Promise.reject(new Error("the script is over"));
      if ("throws" in step) return Promise.reject(step.throws);
      return Promise.resolve({ stream: streamOf(step) });
    },
  };
}

function streamOf(step: Extract<ScriptedStep, { parts: unknown }>): ReadableStream<LanguageModelV4StreamPart> {
  const parts = [...step.parts];
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        while (parts[0] instanceof Promise) await parts.shift();
        const part = parts.shift();
        if (part !== undefined) controller.enqueue(part as LanguageModelV4StreamPart);
        else if (step.hang === true) await new Promise(() => undefined);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A text block in pieces. */
export function textParts(id: string, ...deltas: readonly string[]): LanguageModelV4StreamPart[] {
  return [
    { type: "text-start", id },
    ...deltas.map((delta): LanguageModelV4StreamPart => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

/** A call whose arguments are streamed in one piece. */
export function callParts(toolCallId: string, toolName: string, input: object | string): LanguageModelV4StreamPart[] {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return [
    { type: "tool-input-start", id: toolCallId, toolName },
    { type: "tool-input-delta", id: toolCallId, delta: text },
    { type: "tool-input-end", id: toolCallId },
    { type: "tool-call", toolCallId, toolName, input: text },
  ];
}

/** The end of a call that reports its tokens only when they are given. */
export function finishPart(
  unified: LanguageModelV4FinishReason["unified"],
  tokens?: { readonly input: number; readonly output: number },
): LanguageModelV4StreamPart {
  return {
    type: "finish",
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: tokens?.input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: tokens?.output, text: undefined, reasoning: undefined },
    },
  };
}
