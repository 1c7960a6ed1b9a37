/**
 * What a model can do, and what it reads of it.
 *
 * - *native*: a file tool made here from a tree's verbs, under the name models know (`Read`), or the harness's own todos.
 * - *shape*: a tool's name, arguments and texts, before it is bound to anything.
 * - *published name*: the one name of an argument; *aliases* are the others it is read under.
 * - *value*: the structured result of a call, what the log holds; *text*: what the model reads of it, made from the value.
 * - *effect*: whether a tool reads, writes, or always runs; dry run and approval go by it.
 * - *cut*: something left out because of a limit; a text that is cut ends with a line that says so and how to go on.
 */
export { checkToolInput } from "./checkToolInput";
export { defineTool, type StandardInputSchema, type ToolDefinition } from "./defineTool";
export { effectOfAllowlistName } from "./effectOfAllowlistName";
export { diffLines } from "./lineDiff";
export { hostSpillPath, inputOnScratch, outputOnScratch, SCRATCH_PREFIX, scratchPath } from "./spillPaths";
export { shapeOf } from "./nativeDefinitions";
export { shellTool } from "./shellTool";
export { inputSchemaFromShape } from "./nativeDefinition";
export { canServe, missingVerbs, synthesizeTools } from "./synthesizeTools";
export { generalSubagent, subagentOf, taskTool, type Subagent } from "./taskTool";
export { normalizeToolInput, textFromResult } from "./textFromResult";
export { todoList, todosTools, type TodoList } from "./todosTools";
export type { ImagePart, McpOrigin, ModelContent, TextPart, Tool, ToolCall, ToolEffect } from "./tool";
export { ToolInputError } from "./toolInputError";
export type {
  DeleteOutput,
  DirectoryTreeNode,
  GlobOutput,
  GrepContentOutput,
  GrepCountOutput,
  GrepFilesOutput,
  GrepMatch,
  GrepOutput,
  ListOutput,
  Passage,
  ReadBinaryOutput,
  ReadImageOutput,
  ReadOutput,
  ReadTextOutput,
  SemanticSearchOutput,
  StrReplaceOutput,
  Todo,
  TodosOutput,
  WriteOutput,
} from "./toolOutputs";
export { textFromMcp } from "./mcpText";
export { endpointSearch } from "./webEndpointSearch";
export { webFetchTool } from "./webFetchTool";
export { fixtureSearch } from "./webFixtureSearch";
export { webSearchTool, type WebSearchSource } from "./webSearchTool";
