import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { guardedStream, type GuardedPart, type GuardOptions } from "./guardedStream";

const usage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const finish: LanguageModelV4StreamPart = { type: "finish", usage, finishReason: { unified: "stop", raw: undefined } };

async function guarded(
  source: readonly LanguageModelV4StreamPart[] | ReadableStream<LanguageModelV4StreamPart>,
  options?: GuardOptions,
): Promise<GuardedPart[]> {
  const stream = source instanceof ReadableStream ? source : streamOf(source);
  const parts: GuardedPart[] = [];
  for await (const part of guardedStream(() => Promise.resolve({ stream }), options)) parts.push(part);
  return parts;
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

describe("guardedStream", () => {
  it("passes parts on and drops pings and whatever comes after the end", async () => {
    const text: LanguageModelV4StreamPart = { type: "text-delta", id: "t", delta: "a" };
    expect(await guarded([{ type: "ping" }, text, finish, text, finish])).toEqual([text, finish]);
  });

  it("runs a call once by its id, two calls of the same name and arguments twice, and fills in missing arguments", async () => {
    const call = (toolCallId: string, input: unknown): LanguageModelV4StreamPart => ({
      type: "tool-call",
      toolCallId,
      toolName: "LS",
      input: input as string,
    });
    const parts = await guarded([
      call("a", ""),
      call("a", ""),
      call("b", ""),
      call("c", { path: "/" }),
      call("d", "{bad"),
      finish,
    ]);
    expect(parts.map((part) => (part.type === "tool-call" ? `${part.toolCallId} ${part.input}` : part.type))).toEqual([
      "a {}",
      "b {}",
      'c {"path":"/"}',
      "d {bad",
      "finish",
    ]);
  });

  it("joins halves of a character within one text and never across two", async () => {
    const delta = (id: string, text: string): LanguageModelV4StreamPart => ({ type: "text-delta", id, delta: text });
    const parts = await guarded([
      delta("1", "\ud83d"),
      delta("2", "\ude00"),
      delta("1", "\ude00!"),
      { type: "text-end", id: "2" },
      finish,
    ]);
    expect(parts.flatMap((part) => (part.type === "text-delta" ? [`${part.id} ${part.delta}`] : []))).toEqual([
      "2 \uFFFD",
      "1 😀!",
    ]);
  });

  it("turns an error, a throw, an early end and an error finish each into one failure", async () => {
    const failed = async (parts: Promise<GuardedPart[]>): Promise<unknown> =>
      (await parts).map((part) => (part.type === "failed" ? part.failure.code : part.type));
    expect(await failed(guarded([{ type: "error", error: { message: "x", code: 503 } }, finish]))).toEqual(["server"]);
    expect(await failed(guarded([]))).toEqual(["cut"]);
    expect(await failed(guarded([{ ...finish, finishReason: { unified: "error", raw: "bad" } }]))).toEqual(["server"]);
    const parts: GuardedPart[] = [];
    for await (const part of guardedStream(() => Promise.reject(new TypeError("fetch failed")))) parts.push(part);
    expect(parts).toMatchObject([{ type: "failed", failure: { code: "network" } }]);
  });

  it("does not wait for a provider that ignores the stop", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 5);
    let isCancelled = false;
    const never = new ReadableStream<LanguageModelV4StreamPart>({ cancel: () => void (isCancelled = true) });
    expect(await guarded(never, { signal: stop.signal })).toMatchObject([
      { type: "failed", failure: { code: "aborted" } },
    ]);
    expect(isCancelled).toBe(true);
    const stopped = await guarded([finish], { signal: AbortSignal.abort() });
    expect(stopped).toMatchObject([{ type: "failed", failure: { code: "aborted" } }]);
  });

  it("cancels a stream that opens after it was given up, and one that is left early", async () => {
    let cancelled = 0;
    const stream = (): ReadableStream<LanguageModelV4StreamPart> =>
      new ReadableStream({
        start: (controller) => controller.enqueue({ type: "text-start", id: "t" }),
        cancel: () => void cancelled++,
      });
    const late = async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return { stream: stream() };
    };
    for await (const part of guardedStream(late, { stallMs: 5 }))
      expect(part).toMatchObject({ failure: { code: "stall" } });
    await expect.poll(() => cancelled).toBe(1);
    for await (const part of guardedStream(() => Promise.resolve({ stream: stream() }))) {
      expect(part.type).toBe("text-start");
      break;
    }
    await expect.poll(() => cancelled).toBe(2);
  });
});
