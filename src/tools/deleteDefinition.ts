import type { JsonObject } from "../base";
import { normalizeFsPath, type FileSystem } from "../fs";
import type { NativeDefinition } from "./nativeDefinition";
import { pathArgument } from "./pathArgument";
import { untilStopped } from "./stopping";
import type { ToolCall } from "./tool";
import type { DeleteOutput } from "./toolOutputs";

export const deleteDefinition: NativeDefinition = {
  name: "Delete",
  description: "Deletes a file.",
  effect: "write",
  verbs: ["delete"],
  arguments: { path: pathArgument("Absolute path of the file, e.g. /src/a.ts.") },
  run: deleteFile,
  modelText: ({ path }, input) => {
    const deleted = typeof path === "string" ? path : input["path"];
    return typeof deleted === "string" ? `Deleted ${deleted}` : undefined;
  },
};

async function deleteFile(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<DeleteOutput> {
  const path = normalizeFsPath(input["path"] as string);
  const fileSize = await sizeOf(tree, path, call.signal);
  await untilStopped(tree.delete(path), call.signal);
  return fileSize === undefined ? { path } : { path, fileSize };
}

/** A tree may have `delete` alone; the size is then unknown, and no reason to fail either. */
async function sizeOf(tree: Partial<FileSystem>, path: string, signal: AbortSignal): Promise<number | undefined> {
  if (typeof tree.stat !== "function") return undefined;
  const info = await untilStopped(tree.stat(path), signal);
  return info.sizeBytes;
}
