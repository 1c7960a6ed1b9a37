import { ModelError } from "./modelError";

interface ChatEventOptions {
  readonly scrub: (text: string) => string;
  /** Called for every chunk of bytes. */
  readonly onAlive?: (() => void) | undefined;
}

/**
 * Mends a stream of chat completions before the provider package reads it: a new tool-call id is a new call whatever
 * its index; arguments sent as an object become their text; a stream that ends without saying that it is done is an
 * error (cut), and one that says so without a reason gets one; keys are scrubbed. Works line by line, so it needs no
 * whole event in one chunk.
 */
export function chatEventStream(options: ChatEventOptions): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const events = chatEvents();
  let rest = "";

  const write = (controller: TransformStreamDefaultController<Uint8Array>, lines: readonly string[]): void => {
    const text = lines.map((line) => `${events.mend(options.scrub(line))}\n`).join("");
    if (text !== "") controller.enqueue(encoder.encode(text));
  };
  return new TransformStream({
    transform(chunk, controller) {
      options.onAlive?.();
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      write(controller, lines);
    },
    flush(controller) {
      const last = rest + decoder.decode();
      if (last !== "") write(controller, [last, ""]);
      if (!events.done()) throw new ModelError("cut", "The model's stream ended before the model was done.");
    },
  });
}

interface ToolCallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
}

interface Choice {
  delta?: { tool_calls?: ToolCallDelta[] | null } | null;
  finish_reason?: string | null;
}

function chatEvents(): { mend(line: string): string; done(): boolean } {
  const indexes = callIndexes();
  let finished = false;
  let failed = false;
  let called = false;

  const mendData = (data: string): string => {
    if (data === "[DONE]") {
      // Some local servers end without a reason; the package would take that for a failure.
      if (finished || failed) return "data: [DONE]";
      finished = true;
      const choices = [{ index: 0, delta: {}, finish_reason: called ? "tool_calls" : "stop" }];
      return `data: ${JSON.stringify({ choices })}\n\ndata: [DONE]`;
    }
    const event = parsed(data);
    if (event === undefined) return `data: ${data}`;
    if (event.error !== undefined) failed = true;
    // Some servers leave `choices` out of the chunk that carries the usage.
    if (event.choices === undefined && event.error === undefined) event.choices = [];
    for (const choice of event.choices ?? []) {
      if (choice.finish_reason) finished = true;
      for (const call of choice.delta?.tool_calls ?? []) {
        called = true;
        indexes.assign(call);
        const input = call.function?.arguments;
        if (call.function && input !== null && typeof input === "object") {
          call.function.arguments = JSON.stringify(input);
        }
      }
    }
    return `data: ${JSON.stringify(event)}`;
  };
  return {
    mend(line) {
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      return text.startsWith("data:") ? mendData(text.slice("data:".length).trim()) : text;
    },
    done: () => finished || failed,
  };
}

function parsed(data: string): { choices?: Choice[]; error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Malformed: passed on as it is, and the package says so.
    return undefined;
  }
}

/** Gives every call an index of its own: servers send the same one for all, or none. */
function callIndexes(): { assign(call: ToolCallDelta): void } {
  const byId = new Map<string, number>();
  const current = new Map<number, number>();
  let next = 0;
  let last: number | undefined;
  return {
    assign(call) {
      const wireIndex = call.index ?? -1;
      const id = call.id?.trim() ?? "";
      // A piece without an id goes on with the last call of its index, or without one, with the last call of all.
      let index =
        id === ""
          ? (current.get(wireIndex) ?? (call.index === undefined || call.index === null ? last : undefined))
          : byId.get(id);
      if (index === undefined) {
        index = next++;
        if (id !== "") byId.set(id, index);
      }
      current.set(wireIndex, index);
      last = index;
      call.index = index;
    },
  };
}
