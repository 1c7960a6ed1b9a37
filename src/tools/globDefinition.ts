import { limits, type JsonObject } from "../base";
import { normalizeFsPath, type FileSystem } from "../fs";
import { counted } from "./counted";
import type { NativeDefinition } from "./nativeDefinition";
import { whileRunning } from "./stopping";
import type { ToolCall } from "./tool";
import type { GlobOutput } from "./toolOutputs";

export const globDefinition: NativeDefinition = {
  name: "Glob",
  description:
    "Finds files whose path below a directory matches a glob pattern, sorted by path. The pattern is matched against the " +
    "whole relative path: `*.ts` finds files of the directory itself, `**/*.ts` those at any depth.",
  effect: "read",
  verbs: ["glob"],
  arguments: {
    globPattern: {
      schema: { type: "string", description: "The pattern, e.g. **/*.test.ts." },
      required: true,
      aliases: ["pattern"],
    },
    targetDirectory: {
      schema: {
        type: "string",
        description: "Absolute path of the directory to look in. The whole tree when omitted.",
      },
    },
  },
  run: findFiles,
  modelText: globText,
};

async function findFiles(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<GlobOutput> {
  const directory = normalizeFsPath((input["targetDirectory"] as string | undefined) ?? "/");
  const files: string[] = [];
  let totalFiles = 0;
  for await (const entry of whileRunning(tree.glob(input["globPattern"] as string, directory), call.signal)) {
    totalFiles++;
    if (files.length < limits.globPaths) files.push(entry.path);
  }
  return { files, totalFiles, clientTruncated: totalFiles > files.length };
}

function globText(value: JsonObject): string | undefined {
  const { files, totalFiles } = value as GlobOutput;
  if (!Array.isArray(files) || typeof totalFiles !== "number") return undefined;
  if (totalFiles === 0) return "(no matches)";
  const missing = totalFiles - files.length;
  const note = `[${counted(missing, "more file")}: narrow globPattern or targetDirectory to see them]`;
  return [...files, ...(missing > 0 ? [note] : [])].join("\n");
}
