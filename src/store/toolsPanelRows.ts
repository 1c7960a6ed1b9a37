import type { AgentReport, RefusedTool, ReportedTool, ToolOwner } from "../agent";
import { nativeFileToolNames, type AllowlistName, type JsonObject } from "../base";
import { inputSchemaFromShape, shapeOf, type McpOrigin, type ToolEffect } from "../tools";

interface PanelRowBase {
  /** The name a model calls it by; no two rows have the same. */
  readonly toolName: string;
  readonly allowlistName?: AllowlistName;
  /** The tool's connection and its own name there. */
  readonly mcp?: McpOrigin;
}

/** A tool the model is offered. */
export interface OfferedRow extends PanelRowBase {
  readonly kind: "offered";
  readonly owner: ToolOwner;
  readonly effect: ToolEffect;
  /** Every call of it waits for a person. */
  readonly asksFirst: boolean;
  /** The first sentence of its description. */
  readonly summary: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A tool it is not, and why. */
export interface RefusedRow extends PanelRowBase {
  readonly kind: "refused";
  readonly reason: string;
  /** What a model would be told of it; connections and what nothing runs have no words of ours. */
  readonly description?: string;
  readonly inputSchema?: JsonObject;
}

export type ToolRow = OfferedRow | RefusedRow;

/** Each tool has one place, offered or not: a row does not move when the definition changes. */
const ORDER: readonly string[] = [
  ...nativeFileToolNames,
  "Shell",
  "webSearch",
  "webFetch",
  "updateTodos",
  "readTodos",
  "task",
  "ReadLints",
  "mcp",
];

export interface RowOptions {
  readonly asksBeforeWrites: boolean;
  readonly mcpOf: (toolName: string) => McpOrigin | undefined;
}

export function toolRows(
  { offered, refused }: Pick<AgentReport, "offered" | "refused">,
  options: RowOptions,
): ToolRow[] {
  const rows: ToolRow[] = [...offered.map((tool) => offeredRow(tool, options)), ...refused.map(refusedRow)];
  return rows.toSorted((a, b) => place(a) - place(b));
}

function place({ toolName }: ToolRow): number {
  const known = ORDER.indexOf(toolName);
  return known < 0 ? ORDER.length : known;
}

function offeredRow(tool: ReportedTool, { asksBeforeWrites, mcpOf }: RowOptions): OfferedRow {
  const mcp = mcpOf(tool.name);
  const { owner, effect, description, inputSchema } = tool;
  return {
    kind: "offered",
    toolName: tool.name,
    ...(tool.allowlistName === undefined ? {} : { allowlistName: tool.allowlistName }),
    ...(mcp === undefined ? {} : { mcp }),
    owner,
    effect,
    asksFirst: tool.needsApproval || (asksBeforeWrites && effect === "write"),
    summary: firstSentence(description),
    description,
    inputSchema,
  };
}

function refusedRow({ name, allowlistName, reason }: RefusedTool): RefusedRow {
  const shape = shapeOf(name);
  const told = shape && { description: shape.description, inputSchema: inputSchemaFromShape(shape) };
  return { kind: "refused", toolName: name, allowlistName, reason, ...told };
}

function firstSentence(description: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description;
}
