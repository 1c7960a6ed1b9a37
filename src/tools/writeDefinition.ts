import type { JsonObject } from "../base";
import { normalizeFsPath, type FileSystem } from "../fs";
import { byteCount } from "./cutText";
import type { NativeDefinition } from "./nativeDefinition";
import { pathArgument } from "./pathArgument";
import { untilStopped } from "./stopping";
import type { ToolCall } from "./tool";
import type { WriteOutput } from "./toolOutputs";

export const writeDefinition: NativeDefinition = {
  name: "Write",
  description:
    "Creates a file, or replaces all of an existing one; directories above it are made. To change a part of a file use StrReplace.",
  effect: "write",
  verbs: ["write"],
  arguments: {
    path: pathArgument("Absolute path of the file, e.g. /src/a.ts."),
    fileText: {
      schema: { type: "string", description: "The whole text of the file." },
      required: true,
      aliases: ["contents", "content"],
    },
  },
  run: writeFile,
  modelText: ({ path, linesCreated }) =>
    typeof path === "string" && typeof linesCreated === "number" ? `Wrote contents to ${path}` : undefined,
};

async function writeFile(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<WriteOutput> {
  const path = normalizeFsPath(input["path"] as string);
  const fileText = input["fileText"] as string;
  await untilStopped(tree.write(path, fileText), call.signal);
  const newlines = fileText.split("\n").length - 1;
  const linesCreated = fileText === "" || fileText.endsWith("\n") ? newlines : newlines + 1;
  return { path, linesCreated, fileSize: byteCount(fileText) };
}
