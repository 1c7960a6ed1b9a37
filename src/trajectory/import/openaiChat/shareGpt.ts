import { field, isRecord, list, parsedJson, record, text, type UnknownRecord } from "../jsonAccess";

/** Who speaks in rows of the ShareGPT kind, as the roles of a chat. */
const SPEAKERS: Readonly<Record<string, string | undefined>> = {
  system: "system",
  human: "user",
  user: "user",
  gpt: "assistant",
  chatgpt: "assistant",
  bing: "assistant",
  bard: "assistant",
  model: "assistant",
  assistant: "assistant",
  function_call: "assistant",
  tool_call: "assistant",
  function: "tool",
  tool: "tool",
  observation: "tool",
  function_response: "tool",
  tool_response: "tool",
};

/** Whether a value is a line of such a row: who, and what was said. */
export function isShareGptLine(value: unknown): boolean {
  const from = text(field(value, "from"));
  return from !== undefined && SPEAKERS[from.toLowerCase()] !== undefined && typeof field(value, "value") === "string";
}

/** The lines of a row as messages of a chat; anything else of it stays as it is. `undefined` for what is no such row. */
export function shareGptMessages(row: unknown): readonly unknown[] | undefined {
  const lines = list(field(row, "conversations") ?? field(row, "conversation"));
  if (!lines.some(isShareGptLine)) return undefined;
  const system = field(row, "system");
  const said = lines.flatMap((line): readonly unknown[] => (isShareGptLine(line) ? messagesOf(record(line)) : [line]));
  return typeof system === "string" && system !== "" ? [{ role: "system", content: system }, ...said] : said;
}

/** Whether a row has its messages under the name of ShareGPT and writes them as a chat does. */
export function conversationsOf(row: unknown): unknown {
  const found = field(row, "conversations") ?? field(row, "conversation");
  return list(found).some((message) => text(field(message, "role")) !== undefined) ? found : undefined;
}

function messagesOf(line: UnknownRecord): readonly UnknownRecord[] {
  const from = (text(line.from) ?? "").toLowerCase();
  const value = text(line.value) ?? "";
  const role = SPEAKERS[from] ?? "user";
  if (role === "tool") {
    const answers = [...value.matchAll(/<tool_response>([\s\S]*?)<\/tool_response>/g)].map(([, answer = ""]) => answer);
    return (answers.length === 0 ? [value] : answers).map((answer) => ({ role, content: answer.trim() }));
  }
  if (role !== "assistant") return [{ role, content: value }];
  if (from === "function_call" || from === "tool_call") {
    const called = parsedJson(value);
    const calls = (Array.isArray(called) ? (called as readonly unknown[]) : [called]).filter(isRecord);
    if (calls.length > 0) return [{ role, content: "", tool_calls: calls.map((call) => ({ function: call })) }];
  }
  const calls = [...value.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>/g)];
  const parsed = calls.map(([, call]) => parsedJson(call?.trim()));
  // What cannot be read as calls stays a part of the text.
  if (calls.length === 0 || !parsed.every(isRecord)) return [{ role, content: value }];
  const content = value.replaceAll(/<tool_call>[\s\S]*?<\/tool_call>/g, "").trim();
  return [{ role, content, tool_calls: parsed.map((call) => ({ function: call })) }];
}
