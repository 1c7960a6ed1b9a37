import type { JsonObject, JsonValue } from "../base";
import { CONTEXT_BEGIN, CONTEXT_END, NOTES_KEY } from "./promptFromEvents";

/** One stretch of a request and whose it is. */
export interface RequestPart {
  /** `instructions`, `identity`, `brief`, `skills`, `workspace`, …: the layers of the prompt; then `history` and `tools`. */
  readonly owner: string;
  /** What it is, in a few words: `user`, `assistant`, `result of Read`, `Read`. */
  readonly title: string;
  readonly text: string;
  /** About a quarter of the characters: no tokenizer is asked. */
  readonly approxTokens: number;
}

/** What the model saw in one step, part by part, from the stored request. Never throws; what it does not know is `unknown`. */
export function requestParts(request: JsonValue): RequestPart[] {
  const fields = objectOf(request);
  const prompt = listOf(fields["prompt"]);
  const firstUser = prompt.findIndex((message) => objectOf(message)["role"] === "user");
  const messages = prompt.flatMap((message, index) =>
    index === firstUser ? firstUserParts(objectOf(message)) : messageParts(message),
  );
  return [...messages, ...listOf(fields["tools"]).map(toolPart), ...settingsParts(fields)];
}

/** A part beside what the step before had in its place. */
export interface ChangedPart {
  readonly part: RequestPart;
  readonly change: "same" | "added" | "changed" | "removed";
}

/**
 * The parts of a step's request against those of the step before. Histories grow at their end, so parts of an owner are
 * compared place by place.
 */
export function requestDifference(before: readonly RequestPart[], after: readonly RequestPart[]): ChangedPart[] {
  const earlier = new Map<string, RequestPart[]>();
  for (const part of before) earlier.set(part.owner, [...(earlier.get(part.owner) ?? []), part]);
  const places = new Map<string, number>();
  const changed = after.map((part): ChangedPart => {
    const place = places.get(part.owner) ?? 0;
    places.set(part.owner, place + 1);
    const old = earlier.get(part.owner)?.[place];
    if (old === undefined) return { part, change: "added" };
    return { part, change: old.text === part.text && old.title === part.title ? "same" : "changed" };
  });
  const removed = [...earlier].flatMap(([owner, parts]) => parts.slice(places.get(owner) ?? 0));
  return [...changed, ...removed.map((part): ChangedPart => ({ part, change: "removed" }))];
}

function messageParts(message: JsonValue): RequestPart[] {
  const { role, content, providerOptions } = objectOf(message);
  if (role === "system") return systemParts(typeof content === "string" ? content : "", providerOptions);
  return listOf(content).map((part) => contentPart(textOf(role), objectOf(part)));
}

/** The first message as the loop's own words before it and the person's. */
function firstUserParts(message: JsonObject): RequestPart[] {
  const [first, ...rest] = listOf(message["content"]).map(objectOf);
  const text = first?.["type"] === "text" ? textOf(first["text"]) : "";
  const end = text.startsWith(`${CONTEXT_BEGIN}\n`) ? text.indexOf(`\n${CONTEXT_END}\n\n`) : -1;
  if (end < 0) return messageParts(message);
  const length = end + CONTEXT_END.length + 1;
  const own = { ...first, text: text.slice(length + SEPARATOR_LENGTH) };
  return [
    partOf("context", "context", text.slice(0, length)),
    ...[own, ...rest].map((part) => contentPart("user", part)),
  ];
}

/** The system text cut where its notes say one owner's words end and another's begin. */
function systemParts(content: string, options: JsonValue | undefined): RequestPart[] {
  const notes = listOf(objectOf(objectOf(options)[NOTES_KEY])["parts"]).map(objectOf);
  const parts: RequestPart[] = [];
  let at = 0;
  for (const note of notes) {
    const length = typeof note["length"] === "number" ? note["length"] : 0;
    const owner = textOf(note["owner"]);
    parts.push(partOf(owner, owner, content.slice(at, at + length)));
    at += length + SEPARATOR_LENGTH;
  }
  if (at < content.length) parts.push(partOf("unknown", "system", content.slice(at)));
  return parts;
}

/** The blank line between two parts. */
const SEPARATOR_LENGTH = 2;

function contentPart(role: string, part: JsonObject): RequestPart {
  switch (part["type"]) {
    case "text":
      return partOf("history", role, textOf(part["text"]));
    case "reasoning":
      return partOf("history", "reasoning", textOf(part["text"]));
    case "tool-call":
      return partOf("history", `call of ${textOf(part["toolName"])}`, JSON.stringify(part["input"]));
    case "tool-result":
      return partOf("history", `result of ${textOf(part["toolName"])}`, resultText(objectOf(part["output"])));
    default:
      return partOf("history", textOf(part["type"]), JSON.stringify(part));
  }
}

function resultText(output: JsonObject): string {
  const { type, value, reason } = output;
  if (typeof value === "string") return value;
  if (type === "execution-denied") return typeof reason === "string" ? reason : "";
  if (type !== "content") return JSON.stringify(value ?? null);
  return listOf(value)
    .map(objectOf)
    .map((part) => (part["type"] === "text" ? textOf(part["text"]) : `[${textOf(part["mediaType"])}]`))
    .join("\n");
}

function toolPart(tool: JsonValue): RequestPart {
  const { name, description, inputSchema } = objectOf(tool);
  return partOf("tools", textOf(name), `${textOf(description)}\n${JSON.stringify(inputSchema, null, 2)}`);
}

function settingsParts(fields: JsonObject): RequestPart[] {
  const { prompt: _prompt, tools: _tools, ...settings } = fields;
  return Object.keys(settings).length === 0 ? [] : [partOf("settings", "settings", JSON.stringify(settings))];
}

function partOf(owner: string, title: string, text: string | undefined): RequestPart {
  const whole = text ?? "";
  return { owner, title, text: whole, approxTokens: Math.ceil(whole.length / 4) };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "unknown");
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
