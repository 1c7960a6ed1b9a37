import type { ToolCallAction } from "../../session";
import type { CallDraft } from "./importBuilder";
import { isRecord, parsedJson } from "./jsonAccess";
import type { KeptValues } from "./keptValues";

/** A call as an event holds it. What was written in place of arguments is kept where it is no JSON object. */
export function draftAction(
  callId: string,
  { toolName, input, providerMetadata }: CallDraft,
  values: KeptValues,
): ToolCallAction {
  const parsed = typeof input === "string" ? parsedJson(input) : input;
  const more = providerMetadata === undefined ? {} : { providerMetadata: values.object(providerMetadata) };
  const name = values.text(toolName);
  if (isRecord(parsed)) return { kind: "tool-call", callId, toolName: name, input: values.object(parsed), ...more };
  // No arguments at all, as some write it, are none.
  const written =
    typeof input === "string" ? input : input === undefined || input === null ? "" : JSON.stringify(input);
  const inputText = written === "" ? {} : { inputText: values.text(written) };
  return { kind: "tool-call", callId, toolName: name, input: {}, ...inputText, ...more };
}
