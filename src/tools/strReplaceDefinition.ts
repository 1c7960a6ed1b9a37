import type { JsonObject } from "../base";
import { EditError, normalizeFsPath, PathError, WriteFailedError, type FileSystem } from "../fs";
import { counted } from "./counted";
import { lineDiff } from "./lineDiff";
import type { NativeDefinition } from "./nativeDefinition";
import { pathArgument } from "./pathArgument";
import { untilStopped } from "./stopping";
import type { ToolCall } from "./tool";
import { ToolInputError } from "./toolInputError";
import type { StrReplaceOutput } from "./toolOutputs";

export const strReplaceDefinition: NativeDefinition = {
  name: "StrReplace",
  description:
    "Replaces an exact text in a file. oldText must occur exactly once unless replaceAll is true; give enough of the lines " +
    "around it to make it unique, with the file's own indentation and without line numbers.",
  effect: "write",
  verbs: ["read", "write"],
  arguments: {
    path: pathArgument("Absolute path of the file, e.g. /src/a.ts."),
    oldText: {
      schema: { type: "string", description: "The text to replace, exactly as it is in the file." },
      required: true,
      aliases: ["old_string"],
    },
    newText: {
      schema: { type: "string", description: "The text to put in its place; it must differ from oldText." },
      required: true,
      aliases: ["new_string"],
    },
    replaceAll: { schema: { type: "boolean", description: "Replace every occurrence. False when omitted." } },
  },
  run: replaceInFile,
  modelText: ({ path, occurrencesModified }) =>
    typeof path === "string" && typeof occurrencesModified === "number"
      ? `Replaced ${counted(occurrencesModified, "occurrence")} in ${path}`
      : undefined,
};

async function replaceInFile(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<StrReplaceOutput> {
  const path = normalizeFsPath(input["path"] as string);
  const oldText = input["oldText"] as string;
  const newText = input["newText"] as string;
  if (oldText === "") throw new EditError(path, "empty");
  if (oldText === newText) throw new EditError(path, "same");
  const before = await untilStopped(tree.read(path), call.signal);
  if (typeof before !== "string") {
    throw new ToolInputError("StrReplace", "path", `${path} is a binary file; only text can be replaced`);
  }
  // Split and join are literal and do not overlap; `String.replace` would read `$` patterns in the new text.
  const pieces = before.split(oldText);
  const occurrencesModified = pieces.length - 1;
  if (occurrencesModified === 0) throw new EditError(path, "missing");
  if (occurrencesModified > 1 && input["replaceAll"] !== true) throw new EditError(path, "ambiguous");
  const after = pieces.join(newText);
  await untilStopped(writeBack(tree, path, after), call.signal);
  return { path, occurrencesModified, ...lineDiff(before, after) };
}

/** What the tree says of the path passes as it is; anything else is a failed write. */
async function writeBack(tree: FileSystem, path: string, text: string): Promise<void> {
  try {
    await tree.write(path, text);
  } catch (error) {
    if (error instanceof PathError || (error instanceof Error && error.name === "AbortError")) throw error;
    throw Object.assign(new WriteFailedError(path), { cause: error });
  }
}
