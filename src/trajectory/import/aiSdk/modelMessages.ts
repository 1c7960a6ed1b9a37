import type { SessionDraft, Where } from "../importBuilder";
import {
  field,
  filledText,
  isRecord,
  jsonObject,
  jsonValue,
  list,
  record,
  text,
  type UnknownRecord,
} from "../jsonAccess";
import { messageContent, outputOf } from "../openaiChat/messageContent";
import { present } from "../present";

const SDK_PARTS: ReadonlySet<string> = new Set([
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
]);

/** Whether a message is the SDK's own for models, known by the parts no other format has. */
export function isModelMessage(value: unknown): boolean {
  return list(field(value, "content")).some((part) => SDK_PARTS.has(text(field(part, "type")) ?? ""));
}

/** Reads the messages that models are sent; approvals name the call they are for by an id of their own. */
export class ModelMessages {
  readonly #draft: SessionDraft;
  readonly #calls = new Map<string, string>();
  readonly #approvals = new Map<string, string>();

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  read(value: unknown, where: Where): void {
    const message = record(value);
    const draft = this.#draft;
    const content =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : list(message.content);
    if (message.role === "system") draft.system(messageContent(message.content, draft).text, where);
    else if (message.role === "user") {
      const { text: written, parts } = messageContent(message.content, draft);
      draft.user(written, present({ ...where, parts }));
    } else if (message.role === "assistant") {
      draft.step({ ...where, id: filledText(message.id) });
      for (const part of content) this.#part(record(part), where);
    } else if (message.role === "tool") for (const part of content) this.#part(record(part), where);
    else draft.note("message", value, where);
  }

  #part(part: UnknownRecord, where: Where): void {
    const draft = this.#draft;
    switch (part.type) {
      case "text":
        draft.message(text(part.text) ?? "", where);
        break;
      case "reasoning":
        draft.reasoning(text(part.text) ?? "", where);
        break;
      case "tool-call":
        this.#call(part, where);
        break;
      case "tool-result":
        this.#result(part, where);
        break;
      case "tool-approval-request":
        this.#approvals.set(text(part.approvalId) ?? "", this.#calls.get(text(part.toolCallId) ?? "") ?? "");
        break;
      case "tool-approval-response":
        this.#approval(part, where);
        break;
      default:
        draft.note(text(part.type) ?? "part", part, where);
    }
  }

  #call(part: UnknownRecord, where: Where): void {
    const recordedId = filledText(part.toolCallId);
    const callId = this.#draft.call(
      present({
        callId: recordedId,
        toolName: text(part.toolName) ?? "",
        input: part.input ?? part.args,
        providerMetadata: jsonObject(part.providerOptions),
      }),
      where,
    );
    if (recordedId !== undefined) this.#calls.set(recordedId, callId);
  }

  #result(part: UnknownRecord, where: Where): void {
    const recordedId = filledText(part.toolCallId);
    const output = part.output ?? part.result;
    const type = text(field(output, "type")) ?? "";
    const isTyped = isRecord(output) && /^(?:text|json|content|error-text|error-json|execution-denied)$/.test(type);
    const value = isTyped ? (output.value ?? output.reason) : output;
    const isDenied = isTyped && type === "execution-denied";
    const isFailed = part.isError === true || type.startsWith("error-");
    this.#draft.result(
      {
        callId: recordedId === undefined ? undefined : (this.#calls.get(recordedId) ?? recordedId),
        toolName: filledText(part.toolName),
        output: outputOf(value, this.#draft),
        status: isDenied ? "rejected" : isFailed ? "failed" : "completed",
        ...(isDenied && { error: { code: "denied", message: text(output.reason) ?? "A person refused this call." } }),
        ...(isFailed && { error: { code: "tool-error", message: typeof value === "string" ? value : "" } }),
      },
      where,
    );
  }

  #approval(part: UnknownRecord, where: Where): void {
    const callId = this.#approvals.get(text(part.approvalId) ?? "");
    if (callId === undefined || callId === "") {
      this.#draft.note("tool-approval-response", jsonValue(part), where);
      return;
    }
    const outcome = part.approved === true ? "approved" : "denied";
    this.#draft.approval(present({ callId, outcome, text: filledText(part.reason) } as const), where);
  }
}
