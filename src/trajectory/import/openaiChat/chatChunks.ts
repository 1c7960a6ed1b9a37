import { field, fieldAt, filledText, list, number, record, text } from "../jsonAccess";

interface StreamedCall {
  id?: string | undefined;
  name: string;
  arguments: string;
}

/** A response put together from the chunks it was streamed in. */
export interface StreamedResponse {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly created: unknown;
  readonly message: Record<string, unknown>;
  readonly finishReason: unknown;
  readonly usage: unknown;
}

export function isChatChunk(value: unknown): boolean {
  return field(value, "object") === "chat.completion.chunk";
}

/** Gathers the chunks of one response after the other. */
export class ChatChunks {
  #id: string | undefined;
  #model: string | undefined;
  #created: unknown;
  #content = "";
  #reasoning = "";
  #calls = new Map<number, StreamedCall>();
  #finishReason: unknown;
  #usage: unknown;
  #isEmpty = true;

  /** @returns the response before, when the chunk begins another one */
  add(chunk: unknown): StreamedResponse | undefined {
    const id = filledText(field(chunk, "id"));
    const before = !this.#isEmpty && id !== this.#id ? this.take() : undefined;
    this.#isEmpty = false;
    this.#id = id;
    this.#model ??= filledText(field(chunk, "model"));
    this.#created ??= field(chunk, "created");
    this.#usage = field(chunk, "usage") ?? this.#usage;
    // Further choices are other answers to the same request.
    const choice = record(list(field(chunk, "choices")).find((item) => (number(field(item, "index")) ?? 0) === 0));
    const delta = record(choice.delta);
    this.#content += text(delta.content) ?? "";
    this.#reasoning += text(delta.reasoning_content) ?? text(delta.reasoning) ?? "";
    for (const call of list(delta.tool_calls)) this.#addCall(call);
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
    return before;
  }

  #addCall(value: unknown): void {
    const index = number(field(value, "index")) ?? this.#calls.size;
    const call = this.#calls.get(index) ?? { name: "", arguments: "" };
    call.id ??= filledText(field(value, "id"));
    call.name += text(fieldAt(value, "function", "name")) ?? "";
    call.arguments += text(fieldAt(value, "function", "arguments")) ?? "";
    this.#calls.set(index, call);
  }

  /** The response so far; the next chunk begins a new one. */
  take(): StreamedResponse | undefined {
    if (this.#isEmpty) return undefined;
    const calls = [...this.#calls.values()].map(({ id, name, arguments: input }) => ({
      id,
      function: { name, arguments: input },
    }));
    const response: StreamedResponse = {
      id: this.#id,
      model: this.#model,
      created: this.#created,
      message: {
        role: "assistant",
        content: this.#content,
        reasoning_content: this.#reasoning,
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      finishReason: this.#finishReason,
      usage: this.#usage,
    };
    this.#id = this.#model = undefined;
    this.#created = this.#finishReason = this.#usage = undefined;
    this.#content = this.#reasoning = "";
    this.#calls = new Map();
    this.#isEmpty = true;
    return response;
  }
}
