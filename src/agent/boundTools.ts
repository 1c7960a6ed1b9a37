import { nativeFileToolNames, type AllowlistName, type NativeFileToolName } from "../base";
import {
  effectOfAllowlistName,
  generalSubagent,
  missingVerbs,
  synthesizeTools,
  taskTool,
  todoList,
  todosTools,
  type Subagent,
  type TodoList,
  type Tool,
} from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import type { AuthoredSubagent } from "./agentParts";
import { fileFamilies, offeredToolNames, type Binding, type OfferedToolNames } from "./offeredToolNames";
import { runtimeKind, type PartialFileSystem } from "./runtime";

/** Who a tool comes from: made of the tree's verbs, the harness's own, a connection's, or the author's. */
export type ToolOwner = "tree" | "harness" | "connection" | "author";

export interface OwnedTool {
  readonly tool: Tool;
  readonly owner: ToolOwner;
  /** The allowlist name it comes under; an author's tools come under none. */
  readonly allowlistName?: AllowlistName;
}

/** Tools that exist where the agent runs, beside those made from its tree. */
export interface ExistingTools {
  /** By the allowlist name they come under (`webSearch`, `shell`, `mcp`). */
  readonly harnessTools?: Readonly<Partial<Record<AllowlistName, readonly Tool[]>>>;
  /** The author's own; offered whatever the allowlist says. */
  readonly authoredTools?: readonly Tool[];
  /** Children the agent may give tasks to, beside the one there always is. */
  readonly subagents?: readonly AuthoredSubagent[];
}

/** The tools of an agent on a tree, each with whose it is. Without a tree none is made from it. */
export function boundTools(
  tree: PartialFileSystem | undefined,
  offered: OfferedToolNames,
  { harnessTools = {}, authoredTools = [] }: ExistingTools,
  hostDirectory?: string,
): OwnedTool[] {
  const fileTools = tree === undefined ? [] : synthesizeTools(tree, offered.names, hostDirectory);
  return [
    ...fileTools.map((tool): OwnedTool => ({ tool, owner: "tree", allowlistName: familyOf(tool.name) })),
    ...offered.harness.flatMap((allowlistName) =>
      (harnessTools[allowlistName] ?? []).map((tool): OwnedTool => ({
        tool: withOwnEffect(allowlistName, tool),
        owner: allowlistName === "mcp" ? "connection" : "harness",
        allowlistName,
      })),
    ),
    ...authoredTools.map((tool): OwnedTool => ({ tool, owner: "author" })),
  ];
}

/** What stands under a name of the harness has that name's effect, whatever it says; only connections tell their own. */
function withOwnEffect(name: AllowlistName, tool: Tool): Tool {
  return name === "mcp" ? tool : { ...tool, effect: effectOfAllowlistName(name) };
}

function familyOf(toolName: string): AllowlistName {
  const families = Object.entries(fileFamilies) as [AllowlistName, readonly string[]][];
  return families.find(([, names]) => names.includes(toolName))?.[0] ?? "read";
}

/** Whether each turn has a `/tmp` of its own: on a root, where a tool of the web is offered whose results may be large. */
export function hasScratch(binding: Binding, tools: readonly OwnedTool[]): boolean {
  return binding === "root" && tools.some(({ allowlistName }) => isWebName(allowlistName));
}

export function isWebName(name: AllowlistName | undefined): boolean {
  return name === "webSearch" || name === "webFetch";
}

/** The existing tools with those that exist everywhere: the session's todos, and subagents. */
export function withOwnTools(existing: ExistingTools, todos: TodoList = todoList()): ExistingTools {
  const tools = todosTools(todos);
  const own = {
    updateTodos: tools.filter(({ name }) => name === "updateTodos"),
    readTodos: tools.filter(({ name }) => name === "readTodos"),
    task: [taskTool((existing.subagents ?? []).map(subagentFrom))],
  };
  return { ...existing, harnessTools: { ...own, ...existing.harnessTools } };
}

/** A child with what its author left out. */
export function subagentFrom({ name, description, instructions }: AuthoredSubagent): Subagent {
  return { name, description: description ?? "", instructions: instructions ?? generalSubagent.instructions };
}

/** A tool the model is not offered, and why. */
export interface RefusedTool {
  /** The name the model would know it by. */
  readonly name: string;
  readonly allowlistName: AllowlistName;
  readonly reason: string;
}

/** The harness's own tools by the names a model knows. */
const HARNESS_TOOLS: readonly (readonly [AllowlistName, string])[] = [
  ["shell", "Shell"],
  ["webSearch", "webSearch"],
  ["webFetch", "webFetch"],
  ["updateTodos", "updateTodos"],
  ["readTodos", "readTodos"],
  ["task", "task"],
  ["mcp", "mcp"],
  ["readLints", "ReadLints"],
];

/** Every tool of the allowlist that is not among the tools offered, each with the reason. */
export function refusedTools(
  definition: Pick<AgentDefinition, "tools" | "root" | "runtime">,
  tree: PartialFileSystem | undefined,
  binding: Binding,
  { harnessTools = {} }: ExistingTools,
): RefusedTool[] {
  const offered = offeredToolNames(definition, tree, binding);
  const remote = binding === "remote" ? remoteReason(definition) : undefined;
  const files = nativeFileToolNames
    .filter((name) => !offered.names.includes(name))
    .map((name) => {
      const allowlistName = familyOf(name);
      const reason = remote ?? fileReason(name, allowlistName, definition, tree, binding);
      return { name, allowlistName, reason };
    });
  const harness = HARNESS_TOOLS.filter(
    ([allowlistName]) => !offered.harness.includes(allowlistName) || (harnessTools[allowlistName] ?? []).length === 0,
  ).map(([allowlistName, name]) => {
    const isAllowed = offered.harness.includes(allowlistName);
    const reason =
      remote ?? (isAllowed ? absentReason(allowlistName) : harnessReason(allowlistName, definition, binding));
    return { name, allowlistName, reason };
  });
  return [...files, ...harness];
}

function remoteReason({ runtime }: Pick<AgentDefinition, "runtime">): string {
  return `A ${runtimeKind(runtime)} loop has its own tools.`;
}

function fileReason(
  name: NativeFileToolName,
  allowlistName: AllowlistName,
  { tools }: Pick<AgentDefinition, "tools">,
  tree: PartialFileSystem | undefined,
  binding: Binding,
): string {
  if (binding === "host" && name === "SemanticSearch") return "The host's disk has no index.";
  const missing = tree === undefined ? [] : missingVerbs(tree, name);
  if (missing.length > 0) return `The tree has no ${missing.join(" and no ")}.`;
  return unlistedReason(allowlistName, tools);
}

function harnessReason(name: AllowlistName, { tools }: Pick<AgentDefinition, "tools">, binding: Binding): string {
  if (name === "readLints") return "There is no language service.";
  const where = binding === "root" ? "A root" : "A virtual tree";
  if (name === "shell" && binding !== "host") return `${where} has no shell.`;
  if (name === "task" && binding === "root") return "A subagent (task) would not get the root.";
  return binding === "virtual" && tools === undefined
    ? `A virtual tree offers it only where tools lists ${name}.`
    : unlistedReason(name, tools);
}

function unlistedReason(name: AllowlistName, tools: readonly AllowlistName[] | undefined): string {
  return tools?.length === 0 ? "tools is empty." : `tools does not list ${name}.`;
}

/** Allowed, but nothing that runs it exists where the agent is bound. */
function absentReason(name: AllowlistName): string {
  if (name === "mcp") return "No tool of a connection is there.";
  return `Nothing here runs ${name}.`;
}
