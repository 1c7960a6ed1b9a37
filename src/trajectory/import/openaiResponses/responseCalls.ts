import type { JsonValue } from "../../../base";
import type { CallDraft, ResultDraft, SessionDraft } from "../importBuilder";
import { field, filledText, isRecord, jsonValue, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { messageContent, outputOf } from "../openaiChat/messageContent";
import { present } from "../present";

type Outcome = Omit<ResultDraft, "callId">;

/** A call among the items of a response, and its result where the same item holds it. */
export interface ItemCall {
  readonly call: CallDraft;
  readonly result?: Outcome;
}

/** Calls are named so, or have the id of one; their results are named so too. */
export function isCallItem({ type, call_id: callId }: UnknownRecord): boolean {
  if (typeof type !== "string" || type.endsWith("_output")) return false;
  return type.endsWith("_call") || type === "mcp_approval_request" || typeof callId === "string";
}

/** What an item calls and with what; calls the provider ran itself bring their result along. */
export function itemCall(item: UnknownRecord, draft: SessionDraft): ItemCall {
  const type = text(item.type) ?? "";
  const callId = filledText(item.call_id) ?? filledText(item.id);
  switch (type) {
    case "function_call":
    case "mcp_approval_request":
      return { call: { callId, toolName: text(item.name) ?? "", input: item.arguments } };
    case "custom_tool_call":
      return { call: { callId, toolName: text(item.name) ?? "", input: item.input } };
    case "mcp_call":
      return {
        call: present({
          callId,
          toolName: text(item.name) ?? "",
          input: item.arguments,
          providerMetadata: serverOf(item),
        }),
        ...finished(item, jsonValue(item.output), item.error),
      };
    case "local_shell_call":
    case "shell_call":
    case "computer_call":
      return { call: { callId, toolName: type.replace(/_call$/, ""), input: item.action ?? {} } };
    case "apply_patch_call":
      return { call: { callId, toolName: "apply_patch", input: item.operation ?? {} } };
    default:
      return hostedCall(item, type.replace(/_call$/, ""), callId, draft);
  }
}

function serverOf(item: UnknownRecord): { openai: { serverLabel: string } } | undefined {
  const serverLabel = filledText(item.server_label);
  return serverLabel === undefined ? undefined : { openai: { serverLabel } };
}

/** A tool that runs at the provider: what it was given and what it gave stand in one item. */
function hostedCall(item: UnknownRecord, toolName: string, callId: string | undefined, draft: SessionDraft): ItemCall {
  const { type: _type, id: _id, call_id: _callId, status: _status, results, outputs, result, output, ...rest } = item;
  const input = isRecord(rest.action)
    ? rest.action
    : isRecord(rest.arguments)
      ? rest.arguments
      : (rest.arguments ?? rest);
  let found: JsonValue | undefined;
  if (toolName === "image_generation" && typeof result === "string") found = [draft.image(result, "image/png")];
  else
    found =
      [results, outputs, output, result]
        .map((value) => value as JsonValue | undefined | null)
        .find((v) => v !== undefined && v !== null) ?? undefined;
  // A call with an id of its own is answered by an item of its own, as is a search for tools.
  const isAnswered = typeof item.call_id === "string" || toolName === "tool_search";
  if (isAnswered && found === undefined) return { call: { callId, toolName, input } };
  return { call: { callId, toolName, input }, ...finished(item, found, item.error) };
}

function finished(item: UnknownRecord, output: JsonValue | undefined, error: unknown): { result?: Outcome } {
  const status = text(item.status);
  const hasError = error !== undefined && error !== null;
  if (!hasError && (status === "in_progress" || status === "incomplete")) return {};
  const isFailed = hasError || status === "failed";
  const isAbsent = output === undefined || output === null;
  return {
    result: {
      output: isAbsent && hasError ? jsonValue(error) : (output ?? null),
      status: isFailed ? "failed" : "completed",
      ...(isAbsent && !hasError && { absent: true }),
      ...(isFailed && { error: { code: filledText(field(error, "code")) ?? "tool-error", message: errorText(error) } }),
    },
  };
}

function errorText(error: unknown): string {
  return text(error) ?? filledText(field(error, "message")) ?? "";
}

/** The result in an item `…_output`. */
export function outputResult(item: UnknownRecord, draft: SessionDraft): ResultDraft {
  const callId = filledText(item.call_id);
  const output = item.output ?? item.tools ?? item.result;
  const isFailed = item.status === "failed" || item.is_error === true;
  if (item.type === "computer_call_output") {
    const { parts, text: written } = messageContent(output, draft);
    return { callId, output: parts ?? written };
  }
  const outcomes = list(output).map((part) => record(field(part, "outcome")));
  const exitCode = outcomes.map((outcome) => number(outcome.exit_code) ?? 0).find((code) => code !== 0);
  const hasTimedOut = outcomes.some((outcome) => outcome.type === "timeout");
  const isBad = isFailed || hasTimedOut || exitCode !== undefined;
  const code = hasTimedOut ? "timeout" : exitCode === undefined ? "tool-error" : "exit-code";
  return {
    callId,
    output: outputOf(output, draft),
    status: isBad ? "failed" : "completed",
    ...(isBad && { error: { code, message: exitCode === undefined ? "" : `Exit code ${exitCode}` } }),
  };
}
