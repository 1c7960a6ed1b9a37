import type { NativeFileToolName } from "../base";
import { deleteDefinition } from "./deleteDefinition";
import { globDefinition } from "./globDefinition";
import { grepDefinition } from "./grepDefinition";
import { shellShape, webFetchShape, webSearchShape } from "./harnessShapes";
import { listDefinition } from "./listDefinition";
import type { NativeDefinition, ToolShape } from "./nativeDefinition";
import { readDefinition } from "./readDefinition";
import { semanticSearchDefinition } from "./semanticSearchDefinition";
import { strReplaceDefinition } from "./strReplaceDefinition";
import { taskShape } from "./taskTool";
import { readTodosShape, updateTodosShape } from "./todosTools";
import { writeDefinition } from "./writeDefinition";

export const nativeDefinitions: Readonly<Record<NativeFileToolName, NativeDefinition>> = {
  Read: readDefinition,
  LS: listDefinition,
  Grep: grepDefinition,
  Glob: globDefinition,
  Write: writeDefinition,
  StrReplace: strReplaceDefinition,
  Delete: deleteDefinition,
  SemanticSearch: semanticSearchDefinition,
};

const shapes = new Map<string, ToolShape>(
  [
    ...Object.values(nativeDefinitions),
    updateTodosShape,
    readTodosShape,
    shellShape,
    webSearchShape,
    webFetchShape,
    taskShape,
  ].map((shape) => [shape.name, shape]),
);

/** The shape of a tool of ours, bound or not. */
export function shapeOf(toolName: string): ToolShape | undefined {
  return shapes.get(toolName);
}
