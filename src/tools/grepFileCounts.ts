import type { JsonObject } from "../base";
import type { FileSystem } from "../fs";
import { grepPage, grepQuery, sortedFiles } from "./grepQuery";
import { whileRunning } from "./stopping";
import type { ToolCall } from "./tool";
import type { GrepCountOutput, GrepFilesOutput, GrepRest } from "./toolOutputs";

/** The modes `files` and `count`: every hit is counted, none is kept. */
export async function grepFileCounts(
  tree: FileSystem,
  input: JsonObject,
  call: ToolCall,
): Promise<GrepFilesOutput | GrepCountOutput> {
  const counts = new Map<string, number>();
  let total = 0;
  for await (const { path } of whileRunning(tree.grep(grepQuery(input)), call.signal)) {
    total++;
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const files = await sortedFiles(tree, [...counts.keys()], input, call.signal);
  const { offset, limit } = grepPage(input);
  const shown = files.slice(offset, offset + limit);
  const rest = restAfter(offset + shown.length, files.length);
  if (input.outputMode === "files") return { type: "files", files: shown, count: files.length, ...rest };
  const shownCounts = shown.map((file) => ({ file, count: counts.get(file) ?? 0 }));
  return { type: "count", counts: shownCounts, total, ...rest };
}

function restAfter(offset: number, total: number): { rest?: GrepRest } {
  return offset < total ? { rest: { offset, count: total - offset } } : {};
}
