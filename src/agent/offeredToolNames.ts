import { nativeFileToolNames, type AllowlistName, type NativeFileToolName } from "../base";
import { canServe } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { isVirtual, runtimeKind, type PartialFileSystem } from "./runtime";

/** What an agent's file tools stand on; `remote` loops own their tree and their tools. */
export type Binding = "host" | "root" | "virtual" | "remote";

export interface OfferedToolNames {
  /** File tools by their model-facing names. */
  readonly names: readonly NativeFileToolName[];
  /** What the harness may add, by allowlist name. `mcp` is granted when some tool rides that path. */
  readonly harness: readonly AllowlistName[];
  /** Whether each turn gets a `/tmp` of its own (docs/filesystem.md, section 5). */
  readonly scratch: boolean;
}

/** The file tools each file-family name of an allowlist stands for. */
export const fileFamilies: Readonly<Partial<Record<AllowlistName, readonly NativeFileToolName[]>>> = {
  read: ["Read"],
  ls: ["LS"],
  grep: ["Grep"],
  glob: ["Glob"],
  edit: ["Write", "StrReplace"],
  delete: ["Delete"],
  semSearch: ["SemanticSearch"],
};

interface BindingRow {
  /** File tools when the allowlist is omitted. */
  readonly fileTools: readonly NativeFileToolName[];
  /** Harness names when the allowlist is omitted. */
  readonly harness: readonly AllowlistName[];
  /** Harness names an allowlist may keep. */
  readonly legalHarness: readonly AllowlistName[];
  /** A list without a file-family name leaves all file tools, and not none. */
  readonly keepsFileTools: boolean;
  /** `mcp` comes with every list that is not empty. */
  readonly grantsMcp: boolean;
  readonly hasScratch: boolean;
}

/** The allowlist table (docs/tools.md, section 4), a row a binding. */
const ROWS: Readonly<Record<Binding, BindingRow>> = {
  host: {
    fileTools: nativeFileToolNames.filter((name) => name !== "SemanticSearch"),
    harness: ["shell", "webSearch", "webFetch", "updateTodos", "readTodos", "task", "mcp"],
    legalHarness: ["shell", "webSearch", "webFetch", "updateTodos", "readTodos", "task", "mcp"],
    keepsFileTools: false,
    grantsMcp: true,
    hasScratch: false,
  },
  root: {
    fileTools: nativeFileToolNames,
    harness: ["webSearch", "webFetch", "updateTodos", "readTodos", "mcp"],
    legalHarness: ["webSearch", "webFetch", "updateTodos", "readTodos", "mcp"],
    keepsFileTools: true,
    grantsMcp: true,
    hasScratch: true,
  },
  virtual: {
    fileTools: nativeFileToolNames,
    harness: ["mcp"],
    legalHarness: ["webSearch", "webFetch", "updateTodos", "readTodos", "task", "mcp"],
    keepsFileTools: false,
    grantsMcp: false,
    hasScratch: false,
  },
  remote: { fileTools: [], harness: [], legalHarness: [], keepsFileTools: false, grantsMcp: false, hasScratch: false },
};

/**
 * What the model is offered: the allowlist narrows what the binding gives, and a tree narrows the file tools to those it
 * has the verbs for. Without a tree the file tools are those a whole one would serve. Names the binding refuses are
 * `discover`'s business and left out here.
 */
export function offeredToolNames(
  definition: Pick<AgentDefinition, "tools" | "root" | "runtime">,
  tree?: PartialFileSystem,
  binding: Binding = bindingOf(definition, tree),
): OfferedToolNames {
  const row = ROWS[binding];
  const allowed = fileToolsAllowed(row, definition.tools);
  const names = tree === undefined ? allowed : allowed.filter((name) => canServe(tree, name));
  const harness = harnessAllowed(row, definition.tools);
  const scratch = row.hasScratch && (harness.includes("webSearch") || harness.includes("webFetch"));
  return { names, harness, scratch };
}

/**
 * What a definition's file tools stand on. A tree handed over to an agent that names none is its root: the host's disk
 * has to be asked for.
 */
export function bindingOf(
  { root, runtime }: Pick<AgentDefinition, "root" | "runtime">,
  tree?: PartialFileSystem,
): Binding {
  if (runtimeKind(runtime) !== "local") return "remote";
  if (isVirtual(runtime)) return "virtual";
  return root !== undefined || tree !== undefined ? "root" : "host";
}

function fileToolsAllowed(row: BindingRow, tools: readonly AllowlistName[] | undefined): readonly NativeFileToolName[] {
  if (tools === undefined) return row.fileTools;
  const named = new Set(tools.flatMap((name) => fileFamilies[name] ?? []));
  const keepsAll = row.keepsFileTools && tools.length > 0 && named.size === 0;
  return row.fileTools.filter((name) => keepsAll || named.has(name));
}

function harnessAllowed(row: BindingRow, tools: readonly AllowlistName[] | undefined): readonly AllowlistName[] {
  if (tools === undefined) return row.harness;
  const listed = row.legalHarness.filter((name) => tools.includes(name));
  return row.grantsMcp && tools.length > 0 && !listed.includes("mcp") ? [...listed, "mcp"] : listed;
}
