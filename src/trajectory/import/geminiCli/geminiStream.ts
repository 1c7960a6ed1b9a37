import type { FormatInput, SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, filledText, isRecord, number, text } from "../jsonAccess";
import { present } from "../present";

/** Whether a value is of what `--output-format stream-json` prints; another agent's stream names its sessions otherwise. */
export function isStreamEvent(entry: unknown): boolean {
  const type = text(field(entry, "type"));
  if (type === "init") {
    return filledText(field(entry, "session_id")) !== undefined && filledText(field(entry, "model")) !== undefined;
  }
  const named = filledText(field(entry, "tool_id")) !== undefined;
  return (
    (type === "tool_use" && named && text(field(entry, "tool_name")) !== undefined) || (type === "tool_result" && named)
  );
}

/** What the program prints as it runs, an event a line. */
export async function readGeminiStream(input: FormatInput, file: FormatFile, out: ImportBuilder): Promise<void> {
  const stream = new GeminiStream(out.session(file.path));
  for await (const entry of input.records(file)) {
    input.progress();
    stream.event(entry);
  }
  stream.end();
}

class GeminiStream {
  readonly #draft: SessionDraft;
  /** Calls of the response that have no result yet; the response ends with the last one's. */
  readonly #open = new Set<string>();
  #modelId: string | undefined;
  #inStep = false;
  #isAnswered = false;
  /** The model's text comes in pieces. */
  #said: { text: string; readonly where: Where } | undefined;

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  event({ value, origin }: SourceRecord): void {
    const kind = text(field(value, "type")) ?? "value";
    const where: Where = { origin, at: text(field(value, "timestamp")) };
    const isModels = kind === "message" && field(value, "role") === "assistant";
    if (!isModels) this.#flush();
    if (kind === "init") {
      this.#modelId = filledText(field(value, "model"));
      this.#draft.about(present({ id: filledText(field(value, "session_id")), modelId: this.#modelId }));
      this.#draft.note(kind, value, where);
    } else if (isModels) {
      if (this.#said === undefined) this.#respond(where);
      this.#said ??= { text: "", where };
      this.#said.text += text(field(value, "content")) ?? "";
    } else if (kind === "message" && field(value, "role") === "user") {
      this.#inStep = false;
      this.#draft.user(text(field(value, "content")) ?? "", where);
    } else if (kind === "tool_use") this.#call(value, where);
    else if (kind === "tool_result") this.#result(value, where);
    else if (kind === "result") this.#end(value, where);
    else this.#draft.note(kind, value, where);
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    const said = this.#said;
    this.#said = undefined;
    if (said !== undefined) this.#draft.message(said.text, said.where);
  }

  #respond(where: Where): void {
    if (this.#inStep && !(this.#isAnswered && this.#open.size === 0)) return;
    this.#inStep = true;
    this.#isAnswered = false;
    this.#draft.step({ ...where, modelId: this.#modelId });
  }

  #call(event: unknown, where: Where): void {
    this.#respond(where);
    const named = filledText(field(event, "tool_id"));
    const toolName = text(field(event, "tool_name")) ?? "";
    const callId = this.#draft.call({ callId: named, toolName, input: field(event, "parameters") ?? {} }, where);
    this.#open.add(named ?? callId);
  }

  #result(event: unknown, where: Where): void {
    const callId = filledText(field(event, "tool_id"));
    if (callId !== undefined) this.#open.delete(callId);
    this.#isAnswered = true;
    const error = field(event, "error");
    const output = text(field(event, "output")) ?? text(field(error, "message")) ?? null;
    const isFailed = field(event, "status") === "error" || isRecord(error);
    const failure = {
      code: filledText(field(error, "type")) ?? "tool-error",
      message: text(field(error, "message")) ?? output ?? "The tool failed",
    };
    this.#draft.result({ callId, output, ...(isFailed && { status: "failed", error: failure }) }, where);
  }

  /** The figures are those of the whole run. */
  #end(event: unknown, where: Where): void {
    const stats = field(event, "stats");
    this.#draft.usage(
      present({
        inputTokens: number(field(stats, "input_tokens")),
        outputTokens: number(field(stats, "output_tokens")),
        cacheReadTokens: number(field(stats, "cached")),
      }),
      "cumulative",
    );
    this.#draft.note("result", event, where);
    this.#inStep = false;
    const error = field(event, "error");
    if (field(event, "status") !== "error") return this.#draft.endTurn({ kind: "completed" }, where);
    const code = filledText(field(error, "type")) ?? "error";
    this.#draft.endTurn(present({ kind: "failed", code, message: text(field(error, "message")) } as const), where);
  }
}
