/** Reads fold together in the chat; writes and what is not known never do. */
export function isReadTool(toolName: string): boolean {
  return READ_TOOLS.has(toolName);
}

const READ_TOOLS = new Set([
  "Read",
  "LS",
  "Grep",
  "Glob",
  "SemanticSearch",
  "readTodos",
  "webSearch",
  "webFetch",
  "readLints",
]);
