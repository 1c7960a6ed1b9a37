import { limits, type JsonObject } from "../base";
import { FileNotFoundError, NotADirectoryError, normalizeFsPath, type FileSystem } from "../fs";
import { DirectoryTreeBuilder } from "./directoryTree";
import { ignoreMatcher } from "./ignoreMatcher";
import { listText } from "./listText";
import type { NativeDefinition } from "./nativeDefinition";
import { untilStopped, whileRunning } from "./stopping";
import type { ToolCall } from "./tool";
import type { ListOutput } from "./toolOutputs";

export const listDefinition: NativeDefinition = {
  name: "LS",
  description:
    "Shows the files and directories below a directory as a tree. Where there are many, directories are cut to the number " +
    "of their files by extension; list such a directory itself to see into it.",
  effect: "read",
  verbs: ["list", "stat"],
  arguments: {
    path: {
      schema: { type: "string", description: "Absolute path of the directory, e.g. /src." },
      required: true,
      aliases: ["target_directory", "relative_workspace_path"],
    },
    ignore: {
      schema: {
        type: "array",
        items: { type: "string" },
        description:
          "Glob patterns of what to leave out, e.g. node_modules or *.log; one without a slash fits at any depth.",
      },
      aliases: ["ignore_globs"],
    },
  },
  run: listDirectory,
  modelText: listText,
};

async function listDirectory(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<ListOutput> {
  const path = normalizeFsPath(input["path"] as string);
  const info = await untilStopped(tree.stat(path), call.signal);
  if (info.kind === "missing") throw new FileNotFoundError(path);
  if (info.kind === "file") throw new NotADirectoryError(path);
  const isIgnored = ignoreMatcher((input["ignore"] as readonly string[] | undefined) ?? []);
  const builder = new DirectoryTreeBuilder(path, isIgnored);
  for await (const entry of whileRunning(tree.list(path), call.signal)) builder.add(entry);
  return builder.finish(limits.listEntries);
}
