import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { nativeFileToolNames, systemClock, type JsonObject, type JsonValue } from "../base";
import { stubText } from "../session";
import { checkToolInput, normalizeToolInput, type ModelContent, type Tool, type ToolCall } from "../tools";
import type { Command, GivenOptions } from "./command";
import { failure, usageError } from "./commandError";
import { agentOption, jsonOption, treeOptions } from "./commandOptions";
import { jsonText } from "./jsonText";
import { openAgent, type OpenedAgent } from "./openAgent";
import type { Terminal } from "./terminal";

/** What a dry run answers in the place of a write, when the tool names nothing else. */
const STUB_RESULT = "Operation acknowledged.";

export const callCommand: Command = {
  name: "call",
  operands: ["TOOL"],
  summary: "Runs one tool and prints what a model reads of it; with --json its value.",
  details: [
    "TOOL is a tool's own name (Read, StrReplace) or the allowlist's (read, edit); edit is StrReplace where the input",
    "names a text to replace, else Write.",
  ].join("\n"),
  options: {
    input: { value: "JSON", help: "the tool's arguments: an object, @FILE, or - for standard input" },
    dir: { ...agentOption, help: "the folder of the agent whose tools may be called" },
    ...treeOptions,
    "dry-run": { help: "reads run, a write is only acknowledged" },
    json: jsonOption,
  },
  async run(given, terminal, { modules }) {
    const [name = ""] = given.operands;
    const input = await inputFrom(given.text("input"), terminal);
    const agent = await openAgent(given, terminal, modules);
    const tool = await offeredTool(agent, name, input, given);
    const meant = normalizeToolInput(tool.name, input);
    await checkToolInput(tool, meant);
    if (given.has("dry-run") && tool.effect === "write") {
      const output = tool.dryRunResult ?? STUB_RESULT;
      await terminal.write(given.has("json") ? jsonText(output) : withLineEnd(stubText(output)));
      return true;
    }
    const output = await tool.execute(meant, toolCall(terminal));
    // The value as a log would keep it, which is what the text is made of.
    const logged = JSON.parse(JSON.stringify(output)) as JsonValue;
    await terminal.write(given.has("json") ? jsonText(logged) : withLineEnd(plainText(tool.modelText(logged, meant))));
    return true;
  },
};

/** @throws CommandError */
async function inputFrom(text: string | undefined, terminal: Terminal): Promise<JsonObject> {
  if (text === undefined) return {};
  let json = text;
  if (text === "-") json = await terminal.readInput();
  else if (text.startsWith("@")) {
    const file = resolve(terminal.cwd, text.slice(1));
    json = await readFile(file, "utf8").catch(() => {
      throw failure(`The input file ${file} cannot be read.`);
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw usageError(`--input is not JSON: ${error instanceof Error ? error.message : "it cannot be read"}.`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw usageError(`--input takes a JSON object, e.g. '{"path":"/a.txt"}'.`);
}

/** @throws CommandError, DiscoveryError */
async function offeredTool(agent: OpenedAgent, name: string, input: JsonObject, given: GivenOptions): Promise<Tool> {
  const meant = modelName(name, input);
  const isFileTool = (nativeFileToolNames as readonly string[]).includes(meant);
  const hasTree = given.has("root") || given.has("mount") || given.has("dir");
  if (isFileTool && !hasTree) throw usageError(`${meant} needs a tree: give --root DIR or --mount /PREFIX=DIR.`);
  const { tools } = await agent.session({ sessionId: "call" }).beginTurn();
  const tool = tools.find((each) => each.name === meant) ?? tools.find((each) => isAlike(each.name, meant));
  if (tool !== undefined) return tool;
  const refused = agent.report.refused.find((each) => isAlike(each.name, meant) || isAlike(each.allowlistName, meant));
  if (refused !== undefined) throw failure(`${refused.name} is not offered: ${refused.reason}`);
  throw usageError(`There is no tool ${name}. The tools: ${tools.map((each) => each.name).join(", ")}.`);
}

/** A tool's own name for a name of the allowlist, where the two are not the same word. */
function modelName(name: string, input: JsonObject): string {
  const found = nativeFileToolNames.find((each) => isAlike(each, name));
  if (found !== undefined) return found;
  if (isAlike(name, "semSearch")) return "SemanticSearch";
  if (!isAlike(name, "edit")) return name;
  return normalizeToolInput("StrReplace", input)["oldText"] === undefined ? "Write" : "StrReplace";
}

function isAlike(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function toolCall({ signal }: Terminal): ToolCall {
  return { callId: "call", sessionId: "call", signal, now: systemClock, report: () => undefined };
}

/** What a model reads, as far as a terminal can show it. */
function plainText(content: string | readonly ModelContent[]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : `[an image, ${part.mediaType}; --json prints it as base64]`))
    .join("\n");
}

function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
