import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { nativeFileToolNames } from "../base";
import { callTool, sessionIdsAt, systemClock, type BoundAgent, type JsonObject, type ModelContent } from "../index";
import { normalizeToolInput } from "../tools";
import type { Command } from "./command";
import { failure, usageError } from "./commandError";
import { agentOption, jsonOption, treeOptions } from "./commandOptions";
import { jsonText } from "./jsonText";
import { openAgent, type OpenedAgent } from "./openAgent";
import type { Terminal } from "./terminal";
import { webOptions } from "./webTools";

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
    ...webOptions,
    "dry-run": { help: "reads run, a write is only acknowledged" },
    json: jsonOption,
  },
  async run(given, terminal, { modules }) {
    const [name = ""] = given.operands;
    const input = await inputFrom(given.text("input"), terminal);
    if (isFileTool(modelName(name, input)) && !["root", "mount", "dir"].some((option) => given.has(option))) {
      throw usageError(`${modelName(name, input)} needs a tree: give --root DIR or --mount /PREFIX=DIR.`);
    }
    const invocationId = randomUUID();
    const agent = await openAgent(given, terminal, modules, { sessionId: invocationId });
    await using connected = await agent.connect({ isNeeded: (connection) => name.startsWith(`mcp__${connection}__`) });
    const bound = await connected.session({ sessionId: invocationId }).beginTurn();
    const { result, text } = await callTool({
      bound,
      toolName: offeredTool(agent, bound, name, input),
      input,
      invocationId,
      ids: sessionIdsAt(invocationId, 0, systemClock),
      clock: systemClock,
      signal: terminal.signal,
      dryRun: given.has("dry-run"),
      scrub: connected.scrub,
    });
    if (result.status !== "completed") throw new CallFailure(result.error);
    const { output } = result.result;
    const value = result.stub === true ? { stub: true, output } : output;
    await terminal.write(given.has("json") ? jsonText(value) : withLineEnd(plainText(text)));
    return true;
  },
};

/** A tool's own error, under its own code. */
class CallFailure extends Error {
  readonly code: string;

  constructor(error: { readonly code: string; readonly message: string } | undefined) {
    super(error?.message ?? "The call failed.");
    this.name = "CallFailure";
    this.code = error?.code ?? "failed";
  }
}

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

/** The name of the tool that is meant. @throws CommandError where it is not offered */
function offeredTool({ report }: OpenedAgent, { tools }: BoundAgent, name: string, input: JsonObject): string {
  const meant = modelName(name, input);
  const tool = tools.find((each) => each.name === meant) ?? tools.find((each) => isAlike(each.name, meant));
  if (tool !== undefined) return tool.name;
  const refused = report.refused.find((each) => isAlike(each.name, meant) || isAlike(each.allowlistName, meant));
  if (refused !== undefined) throw failure(`${refused.name} is not offered: ${refused.reason}`);
  throw usageError(`There is no tool ${name}. The tools: ${tools.map((each) => each.name).join(", ")}.`);
}

function isFileTool(name: string): boolean {
  return (nativeFileToolNames as readonly string[]).includes(name);
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
