import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { limits, sha256HexSync, type JsonObject, type JsonValue } from "../base";
import { textFromMcp, type Tool, type ToolCall } from "../tools";

/** Calls a tool by the name its server gave it. @throws McpError; an AbortError when stopped */
export type McpCaller = (toolName: string, input: JsonObject, call: ToolCall) => Promise<JsonValue>;

/**
 * A server's tools as the loop runs them. What the server says of itself is data of somebody else's: the names get the
 * connection's in front, so that none can be taken for a native, and a tool writes unless it declares that it only reads.
 */
export function mcpTools(connection: string, tools: readonly ServerTool[], callTool: McpCaller): Tool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const name = mcpToolName(connection, tool.name, taken);
    taken.add(name);
    return toolFrom(connection, name, tool, callTool);
  });
}

function toolFrom(connection: string, name: string, tool: ServerTool, callTool: McpCaller): Tool {
  const title = tool.title ?? tool.annotations?.title;
  const description = [...(title === undefined ? [] : [title]), tool.description ?? ""].join("\n").trim();
  return {
    name,
    description: (description === "" ? tool.name : description).slice(0, limits.mcpDescriptionCharacters),
    inputSchema: tool.inputSchema as unknown as JsonObject,
    effect: tool.annotations?.readOnlyHint === true ? "read" : "write",
    native: false,
    mcp: { connection, tool: tool.name },
    execute: (input, call) => callTool(tool.name, input, call),
    modelText: (output) => textFromMcp(output) ?? JSON.stringify(output),
  };
}

/**
 * `mcp__{connection}__{tool}` in the letters every model's server takes, 64 at most. What is too long, or the same as
 * another by then, ends with a few digits of the whole name's hash.
 */
export function mcpToolName(connection: string, tool: string, taken: ReadonlySet<string> = new Set()): string {
  const name = `mcp__${plain(connection)}__${plain(tool)}`;
  if (name.length <= LONGEST_NAME && !taken.has(name)) return name;
  const digits = sha256HexSync(`${connection}/${tool}`).slice(0, 6);
  return `${name.slice(0, LONGEST_NAME - digits.length - 1)}_${digits}`;
}

const LONGEST_NAME = 64;

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
}
