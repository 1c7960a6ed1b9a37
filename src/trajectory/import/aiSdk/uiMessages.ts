import type { JsonObject, JsonValue } from "../../../base";
import type { Usage } from "../../../session";
import type { SessionDraft, Where } from "../importBuilder";
import {
  field,
  filledText,
  isRecord,
  jsonObject,
  jsonValue,
  list,
  number,
  record,
  text,
  type UnknownRecord,
} from "../jsonAccess";
import { messageContent } from "../openaiChat/messageContent";
import { present } from "../present";

const PART_TYPE =
  /^(?:text|reasoning|reasoning-file|file|step-start|source-url|source-document|custom|dynamic-tool|steering-message|tool-.+|data-.+)$/;

/** Whether a value is a UIMessage: parts that name their type, and texts that are texts. */
export function isUIMessage(value: unknown): boolean {
  const { role, parts } = record(value);
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  if (!Array.isArray(parts)) return false;
  return parts.every((part) => {
    const type = text(field(part, "type"));
    if (type === undefined || !PART_TYPE.test(type)) return false;
    return type !== "text" || typeof field(part, "text") === "string";
  });
}

/** Figures as the SDK reports them; its totals count what came from a cache. */
export function sdkUsage(value: unknown): Usage | undefined {
  const usage = record(value);
  const input = isRecord(usage.inputTokens) ? usage.inputTokens : { total: usage.inputTokens ?? usage.promptTokens };
  const output = isRecord(usage.outputTokens)
    ? usage.outputTokens
    : { total: usage.outputTokens ?? usage.completionTokens };
  const details = record(usage.inputTokenDetails);
  const read = present({
    inputTokens: number(field(input, "total")),
    outputTokens: number(field(output, "total")),
    cacheReadTokens: number(field(input, "cacheRead") ?? details.cacheReadTokens ?? usage.cachedInputTokens),
    cacheWriteTokens: number(field(input, "cacheWrite") ?? details.cacheWriteTokens),
  });
  return Object.keys(read).length > 0 ? read : undefined;
}

/** Reads one UIMessage. In an assistant's, `step-start` delimits steps, and a tool's part is call and result. */
export function readUIMessage(value: unknown, draft: SessionDraft, where: Where): void {
  const message = record(value);
  if (message.role === "system") draft.system(textOf(message), where);
  else if (message.role === "user") readUser(message.parts, draft, where);
  else if (message.role === "assistant") readAssistant(message, draft, where);
  else draft.note("message", value, where);
}

function textOf(message: UnknownRecord): string {
  return list(message.parts)
    .map((part) => text(field(part, "text")) ?? "")
    .join("\n");
}

function readUser(parts: unknown, draft: SessionDraft, where: Where): void {
  const { text: written, parts: read } = messageContent(parts, draft);
  draft.user(written, present({ ...where, parts: read }));
}

function readAssistant(message: UnknownRecord, draft: SessionDraft, where: Where): void {
  const metadata = record(message.metadata);
  const modelId = filledText(metadata.model) ?? filledText(metadata.modelId);
  // A step without anything in it is what a stream that was cut leaves behind.
  let isBegun = false;
  const begin = (): void => {
    if (!isBegun) draft.step({ ...where, modelId });
    isBegun = true;
  };
  for (const part of list(message.parts)) {
    const type = text(field(part, "type")) ?? "";
    if (type === "step-start") isBegun = false;
    else if (type === "steering-message") {
      readUser(field(part, "parts"), draft, where);
      isBegun = false;
    } else if (type === "tool-invocation" && isRecord(field(part, "toolInvocation"))) {
      begin();
      readInvocation(record(field(part, "toolInvocation")), draft, where);
    } else {
      begin();
      readPart(record(part), type, draft, where);
    }
  }
  const usage = sdkUsage(metadata.usage ?? metadata.totalUsage);
  if (usage !== undefined && isBegun) draft.usage(usage, "per-call");
}

function readPart(part: UnknownRecord, type: string, draft: SessionDraft, where: Where): void {
  if (type === "text") draft.message(text(part.text) ?? "", where);
  else if (type === "reasoning") draft.reasoning(text(part.text) ?? text(part.reasoning) ?? "", where);
  else if (type === "dynamic-tool" || type.startsWith("tool-")) readToolPart(part, type, draft, where);
  else if (type === "file" || type === "reasoning-file") {
    const [image] = messageContent([{ ...part, type: "file" }], draft).parts ?? [];
    draft.note(type, image ?? part, where);
  } else draft.note(type === "" ? "part" : type, part, where);
}

function readToolPart(part: UnknownRecord, type: string, draft: SessionDraft, where: Where): void {
  const toolName = type === "dynamic-tool" ? (text(part.toolName) ?? "") : type.slice("tool-".length);
  const callId = draft.call(
    present({
      callId: filledText(part.toolCallId),
      toolName,
      input: part.input ?? part.rawInput,
      providerMetadata: jsonObject(part.callProviderMetadata),
    }),
    where,
  );
  const approval = record(part.approval);
  if (typeof approval.approved === "boolean") {
    const outcome = approval.approved ? "approved" : "denied";
    draft.approval(
      present({
        callId,
        outcome,
        prompt: filledText(approval.requestReason),
        text: filledText(approval.reason),
      } as const),
      where,
    );
  } else if (part.state === "approval-requested") {
    draft.approval(present({ callId, outcome: "pending", prompt: filledText(approval.requestReason) } as const), where);
  }
  const result = partResult(part, approval);
  if (result !== undefined) draft.result({ ...result, callId, toolName }, where);
}

interface PartResult {
  readonly output: JsonValue;
  readonly status: "completed" | "failed" | "rejected";
  readonly error?: { readonly code: string; readonly message: string };
}

/** The result in a tool's part, by its state; what is still going on has none. */
function partResult(part: UnknownRecord, approval: UnknownRecord): PartResult | undefined {
  switch (part.state) {
    case "output-available":
      return { output: jsonValue(part.output), status: "completed" };
    case "output-error": {
      const message = text(part.errorText) ?? "";
      return { output: message, status: "failed", error: { code: "tool-error", message } };
    }
    case "output-denied": {
      const message = filledText(approval.reason) ?? "A person refused this call.";
      return { output: message, status: "rejected", error: { code: "denied", message } };
    }
    default:
      return undefined;
  }
}

/** A call of the SDK's fourth version. */
function readInvocation(invocation: UnknownRecord, draft: SessionDraft, where: Where): void {
  const toolName = text(invocation.toolName) ?? "";
  const callId = draft.call({ callId: filledText(invocation.toolCallId), toolName, input: invocation.args }, where);
  if (invocation.state === "result") draft.result({ callId, toolName, output: jsonValue(invocation.result) }, where);
}

/** What a message of the fourth version holds beside its parts, or in their place. */
export function legacyParts(message: UnknownRecord): readonly JsonObject[] {
  const parts: JsonObject[] = [];
  const reasoning = filledText(message.reasoning);
  if (reasoning !== undefined) parts.push({ type: "reasoning", text: reasoning });
  for (const toolInvocation of list(message.toolInvocations))
    parts.push({ type: "tool-invocation", toolInvocation: jsonValue(toolInvocation) });
  const content = filledText(message.content);
  if (content !== undefined) parts.push({ type: "text", text: content });
  return parts;
}
