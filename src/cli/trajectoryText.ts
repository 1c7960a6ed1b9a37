import { limits, type JsonObject, type JsonValue } from "../base";
import type { SessionEvent, ToolCallAction } from "../index";
import type { ImportedSession, ImportedTrajectory } from "../trajectory";
import { oneLine } from "./oneLine";
import type { TrajectorySummary } from "./trajectorySummary";

/** A file of sessions for reading: the figures, what was lost, then every session turn by turn. */
export function* trajectoryText(
  { sessions }: ImportedTrajectory,
  summary: TrajectorySummary,
): Generator<string, void, undefined> {
  yield summaryText(summary);
  for (const session of sessions) yield* sessionText(session);
}

function summaryText(summary: TrajectorySummary): string {
  const { format, version, sessions, turns, steps, toolCalls, toolResults, failed, usage, warnings, fidelity } =
    summary;
  const figures = Object.entries(usage).map(([name, value]) => `${name} ${value}`);
  const told = Object.entries(fidelity).map(([name, value]) => `${name} ${value}`);
  const lines = [
    `format      ${format} ${version}`,
    `sessions    ${sessions}`,
    `turns       ${turns}`,
    `steps       ${steps}`,
    `tool calls  ${toolCalls}, ${toolResults} with results, ${failed} of them failed`,
    `usage       ${figures.length === 0 ? "not reported" : figures.join(", ")}`,
    `fidelity    ${told.join(", ")}`,
    ...warnings.map((warning) => `warning: ${warning.message}${placeText(warning)}`),
  ];
  return `${lines.join("\n")}\n`;
}

type Warning = TrajectorySummary["warnings"][number];

function placeText({ file, line, byteOffset, jsonPointer }: Warning): string {
  const places = [
    file,
    line === undefined ? undefined : `line ${line}`,
    byteOffset === undefined ? undefined : `byte ${byteOffset}`,
    jsonPointer,
  ].filter((place) => place !== undefined);
  return places.length === 0 ? "" : ` (${places.join(", ")})`;
}

function* sessionText({ id, title, parent, events }: ImportedSession): Generator<string, void, undefined> {
  const works = parent === undefined ? "" : `, works for ${parent.callId ?? "a call"} of ${parent.sessionId}`;
  yield `\nsession ${oneLine(id)}${title === undefined ? "" : `: ${oneLine(title)}`}${works}\n`;
  for (const event of events) {
    const lines = eventLines(event);
    if (lines.length > 0) yield `${lines.join("\n")}\n`;
  }
}

function eventLines(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case "import.source":
      return aboutLines(event.data.session);
    case "turn.started":
      return [`  turn ${event.data.sequence + 1}${timeText(event)}`];
    case "message.received":
      return [
        ...block(event.data.message, "  > "),
        ...(event.data.parts ?? []).map((part) => `  > [${partText(part)}]`),
      ];
    case "step.started":
      return [
        `    step ${event.data.stepIndex + 1}${event.data.modelId === "" ? "" : ` ${oneLine(event.data.modelId)}`}`,
      ];
    case "reasoning.completed":
      return block(event.data.reasoning, "      ~ ");
    case "message.completed":
      return block(event.data.message, "      ");
    case "actions.requested":
      return event.data.actions.map((action) => `      * ${callText(action)}`);
    case "input.resolved":
      return event.data.resolutions.map(({ kind, outcome }) => `      ? ${kind} ${outcome}`);
    case "action.result":
      return resultLines(event.data);
    case "step.failed":
      return [`      ! ${oneLine(event.data.code)}: ${oneLine(event.data.message)}`];
    case "turn.failed":
      return [`    ! the turn failed: ${oneLine(event.data.message)} (${oneLine(event.data.code)})`];
    case "turn.cancelled":
      return ["    ! the turn was stopped"];
    case "compaction.completed":
      return ["    = the context was compacted", ...block(event.data.summary ?? "", "      = ")];
    case "import.entry":
      return event.meta.replay === false
        ? [`    . ${oneLine(event.data.kind)} (copied): ${valueText(event.data.raw)}`]
        : [];
    default:
      return [];
  }
}

function aboutLines(session: Extract<SessionEvent, { type: "import.source" }>["data"]["session"] | undefined) {
  const { agentName, agentVersion, modelId, cwd, branch } = session ?? {};
  const agent = [agentName, agentVersion].filter(Boolean).join(" ");
  const facts = [agent, modelId, cwd, branch].filter((fact) => fact !== undefined && fact !== "");
  return facts.length === 0 ? [] : [`  ${facts.map((fact) => oneLine(fact ?? "")).join(", ")}`];
}

function timeText({ meta }: SessionEvent): string {
  return meta.time === "missing" ? "" : `  ${meta.at}${meta.time === "naive" ? " (zone unknown)" : ""}`;
}

function resultLines(data: Extract<SessionEvent, { type: "action.result" }>["data"]): readonly string[] {
  const { status, error, result, absent, truncated } = data;
  const marks = [
    status === "completed" ? undefined : status,
    absent ? "not recorded" : undefined,
    truncated ? "cut" : undefined,
  ];
  const said = marks.filter((mark) => mark !== undefined).join(", ");
  const output = absent === true && result.output === null ? "" : resultText(result.output);
  const text = output === "" ? (error?.message ?? "") : output;
  const [first = "", ...rest] = block(text, "        ");
  return [`      -> ${said === "" ? "" : `[${said}] `}${first.trimStart()}`, ...rest];
}

/** What a call is about: the field a person would look for first. */
const SUBJECTS = [
  "path",
  "file_path",
  "filePath",
  "notebook_path",
  "command",
  "cmd",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
];

function callText({ toolName, input, inputText }: ToolCallAction): string {
  if (inputText !== undefined) return `${oneLine(toolName)} ${oneLine(inputText)}`;
  for (const name of SUBJECTS) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string" && value !== "") return `${oneLine(toolName)} ${oneLine(value)}`;
    if (Array.isArray(value) && value.length > 0) return `${oneLine(toolName)} ${oneLine(value.join(" "))}`;
  }
  return Object.keys(input).length === 0 ? oneLine(toolName) : `${oneLine(toolName)} ${valueText(input)}`;
}

/** Fields of an output that say by themselves what came of a call. */
const SPOKEN = ["content", "diffString", "stdout", "output", "text", "message", "head"];

function resultText(output: JsonValue): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map((part: JsonValue) => partText(part)).join("\n");
  if (isObject(output)) {
    for (const name of SPOKEN) {
      const said = Object.hasOwn(output, name) ? output[name] : undefined;
      if (typeof said === "string" && said !== "") return said;
    }
  }
  return valueText(output);
}

function partText(part: JsonValue): string {
  if (!isObject(part)) return valueText(part);
  if (typeof part["text"] === "string") return part["text"];
  const { type, mediaType } = part;
  return typeof mediaType === "string" ? `${typeof type === "string" ? type : "file"} ${mediaType}` : valueText(part);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first lines of a text, each behind `prefix`. */
function block(text: string, prefix: string): readonly string[] {
  const lines = text.trim().split("\n", limits.trajectoryTextLines + 1);
  if (text.trim() === "") return [];
  const shown = lines.slice(0, limits.trajectoryTextLines).map((line) => `${prefix}${oneLine(line)}`);
  return lines.length > shown.length ? [...shown, `${prefix}…`] : shown;
}

function valueText(value: JsonValue): string {
  return oneLine(JSON.stringify(value));
}
