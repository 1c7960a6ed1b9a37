import type { JsonObject } from "../../base";
import { CARRIED_KEY, carriedJson } from "./carriedLog";
import {
  exportedSession,
  resultText,
  type ExportedMessage,
  type ExportedStep,
  type ExportedTurn,
} from "./exportedSession";
import { inlinedSessions, type CarryOptions, type ExportInput } from "./exportOptions";
import { functionTools } from "./functionTools";
import { base64FromBytes } from "../base64";
import type { BlobReader } from "../createReplay";

/**
 * A session as the messages of OpenAI's chat completions, with the tools it was offered. Times, usage, the bounds of turns
 * and subagents have no place in it and are in the log it carries.
 */
export async function openAIMessagesFromSessions(
  input: ExportInput,
  { withLog = true }: CarryOptions = {},
): Promise<JsonObject> {
  const [first] = await inlinedSessions(input);
  if (first === undefined) throw new RangeError("There is no session to export.");
  const { instructions, turns, tools, modelId } = exportedSession(first);
  const messages: JsonObject[] = [];
  if (instructions !== undefined && instructions !== "") messages.push({ role: "system", content: instructions });
  for (const turn of turns) messages.push(...(await turnMessages(turn, input.blobs)));
  const document: JsonObject = {
    ...(modelId === undefined || modelId === "" ? {} : { model: modelId }),
    messages,
    ...(tools.length === 0
      ? {}
      : {
          tools: functionTools(tools),
        }),
  };
  if (!withLog) return document;
  return { ...document, [CARRIED_KEY]: await carriedJson(input.sessions, input.blobs, document) };
}

async function turnMessages({ entries }: ExportedTurn, blobs: BlobReader | undefined): Promise<JsonObject[]> {
  const messages: JsonObject[] = [];
  for (const entry of entries) {
    if (entry.kind === "message") messages.push({ role: "user", content: await userContent(entry, blobs) });
    else if (entry.kind === "step") messages.push(...stepMessages(entry));
    else if (entry.kind === "compaction" && entry.text !== "") messages.push({ role: "system", content: entry.text });
  }
  return messages;
}

async function userContent(
  { text, parts }: ExportedMessage,
  blobs: BlobReader | undefined,
): Promise<string | JsonObject[]> {
  const images: JsonObject[] = [];
  for (const { type, mediaType, blob } of parts) {
    const bytes = type === "image" && typeof blob === "string" ? await blobs?.get(blob) : undefined;
    if (bytes === undefined || typeof mediaType !== "string") continue;
    images.push({ type: "image_url", image_url: { url: `data:${mediaType};base64,${base64FromBytes(bytes)}` } });
  }
  return images.length === 0 ? text : [{ type: "text", text }, ...images];
}

function stepMessages({ texts, reasoning, calls }: ExportedStep): JsonObject[] {
  const text = texts.join("\n\n");
  if (text === "" && calls.length === 0 && reasoning.length === 0) return [];
  const assistant: JsonObject = {
    role: "assistant",
    content: text === "" ? null : text,
    ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.join("\n\n") }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ action: { callId, toolName, input, inputText } }) => ({
            id: callId,
            type: "function",
            function: { name: toolName, arguments: inputText ?? JSON.stringify(input) },
          })),
        }),
  };
  const results = calls.flatMap(({ action, result }) =>
    result === undefined ? [] : [{ role: "tool", tool_call_id: action.callId, content: resultText(result) }],
  );
  return [assistant, ...results];
}
