/** The file tools synthesized from a tree, by the names a model sees (docs/tools.md). */
export const nativeFileToolNames = [
  "Read",
  "LS",
  "Grep",
  "Glob",
  "Write",
  "StrReplace",
  "Delete",
  "SemanticSearch",
] as const;

export type NativeFileToolName = (typeof nativeFileToolNames)[number];

/** The names an agent's `tools` may hold (docs/tools.md). */
export const allowlistNames = [
  "read",
  "ls",
  "grep",
  "glob",
  "edit",
  "delete",
  "semSearch",
  "shell",
  "webSearch",
  "webFetch",
  "updateTodos",
  "readTodos",
  "task",
  "mcp",
  "readLints",
] as const;

export type AllowlistName = (typeof allowlistNames)[number];
