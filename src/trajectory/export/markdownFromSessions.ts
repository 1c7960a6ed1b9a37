import type { Usage } from "../../session";
import {
  exportedSession,
  resultText,
  withSubagents,
  type ExportedCall,
  type ExportedSession,
  type ExportedStep,
  type ExportedTurn,
} from "./exportedSession";
import { inlinedSessions, type ExportInput } from "./exportOptions";

export interface MarkdownOptions {
  /** Characters of one result that are shown; all of it where absent. */
  readonly resultCharacters?: number;
}

/** Sessions as Markdown for people to read: nothing in a session can end the block it stands in. */
export async function markdownFromSessions(input: ExportInput, options: MarkdownOptions = {}): Promise<string> {
  const sessions = withSubagents(await inlinedSessions(input)).map(exportedSession);
  return `${sessions.map((session, index) => sessionText(session, index === 0 ? 1 : 2, options)).join("\n\n")}\n`;
}

function sessionText(session: ExportedSession, level: number, options: MarkdownOptions): string {
  const heading = "#".repeat(level);
  const facts = [
    `- Session: \`${codeText(session.id)}\``,
    `- Agent: ${inline(session.agentName)}`,
    ...(session.modelId === undefined || session.modelId === "" ? [] : [`- Model: ${inline(session.modelId)}`]),
    ...(session.parent === undefined ? [] : [`- Works for: \`${codeText(session.parent.sessionId)}\``]),
    `- Turns: ${session.turns.length}`,
  ];
  const { instructions } = session;
  const said =
    instructions === undefined || instructions === "" ? [] : [`${heading}# Instructions`, fenced(instructions)];
  const turns = session.turns.map((turn, index) => turnText(turn, index + 1, heading, options));
  return [`${heading} ${inline(session.title ?? session.id)}`, facts.join("\n"), ...said, ...turns].join("\n\n");
}

function turnText(turn: ExportedTurn, number: number, heading: string, options: MarkdownOptions): string {
  const parts = [`${heading}# Turn ${number}${turn.startedAt.isKnown ? ` · ${turn.startedAt.at}` : ""}`];
  for (const entry of turn.entries) {
    if (entry.kind === "message") parts.push("**Person**", quoted(entry.text));
    else if (entry.kind === "step") parts.push(...stepParts(entry, options));
    else if (entry.kind === "compaction") parts.push("**The history was replaced by a summary**", quoted(entry.text));
    else parts.push(`**Entry** \`${codeText(entry.name)}\``, fenced(cut(entry.text, options)));
  }
  if (turn.status === "failed") parts.push(`**The turn failed**: ${inline(turn.failure?.message ?? "")}`);
  if (turn.status === "cancelled") parts.push("**The turn was cancelled**");
  return parts.join("\n\n");
}

function stepParts(step: ExportedStep, options: MarkdownOptions): string[] {
  const parts: string[] = [];
  for (const reasoning of step.reasoning) parts.push("**Reasoning**", quoted(reasoning));
  for (const text of step.texts) parts.push("**Agent**", quoted(text));
  for (const call of step.calls) parts.push(...callParts(call, options));
  if (step.failure !== undefined) parts.push(`**The step failed**: ${inline(step.failure.message)}`);
  const usage = usageText(step.usage);
  if (usage !== "") parts.push(`_${usage}_`);
  return parts;
}

function callParts({ action, result }: ExportedCall, options: MarkdownOptions): string[] {
  const status = result === undefined ? "no result" : result.stub === true ? "stub" : result.status;
  const input = action.inputText ?? JSON.stringify(action.input, undefined, 2);
  return [
    `**Tool** \`${codeText(action.toolName)}\` · ${status}`,
    fenced(input, action.inputText === undefined ? "json" : ""),
    ...(result === undefined ? [] : [fenced(cut(resultText(result), options))]),
  ];
}

function usageText(usage: Usage | undefined): string {
  const { inputTokens, outputTokens, costUsd } = usage ?? {};
  return [
    ...(inputTokens === undefined ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens} tokens out`]),
    ...(costUsd === undefined ? [] : [`$${costUsd}`]),
  ].join(" · ");
}

function cut(text: string, { resultCharacters = Infinity }: MarkdownOptions): string {
  if (text.length <= resultCharacters) return text;
  const shown = text.slice(0, resultCharacters).replace(/[\uD800-\uDBFF]$/, "");
  return `${shown}\n[${text.length - shown.length} more characters]`;
}

/** A block whose fence is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}

/** A quote with its text as it is, markup included: it is the person's or the model's own. HTML is none. */
function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}`))
    .join("\n");
}

/** A text on one line that is no markup. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]#|~]/g, String.raw`\$&`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
}

/** A text inside a code span. */
function codeText(text: string): string {
  return text.replaceAll(/[`\s]+/g, " ");
}
