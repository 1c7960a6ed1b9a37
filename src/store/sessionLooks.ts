import type { JsonObject, JsonValue } from "../base";
import { contentsFromBytes, imageMediaType, normalizeFsPath, type SnapshotTree } from "../fs";
import { stubText, type CallItem, type FileChange } from "../session";
import type { ProjectStore } from "../storage";
import { textFromResult } from "../tools";
import { fileDifference, type FileDifference } from "./sessionDifference";

type Contents = string | Uint8Array;

/** Files a call's changes are shown for; a call that changed more is read in the file tree. */
const SHOWN_FILES = 50;

/** What a finished call changed, from the contents the session keeps. */
export async function changedFiles(
  changes: readonly FileChange[],
  blobs: ProjectStore["blobs"],
): Promise<readonly FileDifference[]> {
  return Promise.all(
    changes.slice(0, SHOWN_FILES).map(async ({ path, before, after }) => {
      const [old, current] = await Promise.all([keptContents(before, blobs), keptContents(after, blobs)]);
      const difference = fileDifference(path, old ?? undefined, current ?? undefined);
      const isLost = old === null || current === null;
      const kind = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
      return isLost
        ? {
            ...difference,
            kind,
            lines: [],
            linesAdded: 0,
            linesRemoved: 0,
            reason: "The contents are no longer kept, so the lines are unknown.",
          }
        : difference;
    }),
  );
}

/** `undefined` for a side that did not exist, `null` for contents that are gone. */
async function keptContents(
  hash: string | undefined,
  blobs: ProjectStore["blobs"],
): Promise<Contents | undefined | null> {
  if (hash === undefined) return undefined;
  const bytes = await blobs.get(hash);
  return bytes === undefined ? null : contentsFromBytes(bytes);
}

/** What a call that waits would change if it ran on this tree; absent for calls that change no single file. */
export async function waitingDifference(
  toolName: string,
  input: JsonObject,
  tree: SnapshotTree,
): Promise<FileDifference | undefined> {
  const given = input["path"];
  if (typeof given !== "string") return undefined;
  const path = normalizeFsPath(given);
  const before = await fileContents(tree, path);
  const unclear = (reason: string): FileDifference => ({
    path,
    kind: "modified",
    linesAdded: 0,
    linesRemoved: 0,
    lines: [],
    reason,
  });
  switch (toolName) {
    case "Write":
      return fileDifference(path, before, textOf(input["fileText"]));
    case "Delete":
      return before === undefined
        ? unclear("There is no such file: the call will fail.")
        : fileDifference(path, before, undefined);
    case "StrReplace": {
      if (typeof before !== "string") return unclear("There is no such text file: the call will fail.");
      const oldText = textOf(input["oldText"]);
      if (oldText === "" || !before.includes(oldText))
        return unclear("The text to replace is not in the file: the call will fail.");
      const newText = textOf(input["newText"]);
      const after =
        input["replaceAll"] === true
          ? before.replaceAll(oldText, () => newText)
          : before.replace(oldText, () => newText);
      return fileDifference(path, before, after);
    }
    default:
      return undefined;
  }
}

async function fileContents(tree: SnapshotTree, path: string): Promise<Contents | undefined> {
  const file = tree.file(path);
  return file === undefined ? undefined : contentsFromBytes(await file.bytes());
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What the model read of a call's result, pictures named in its place. */
export function callOutputText(item: CallItem): string {
  if (item.error !== undefined) return item.error.message;
  if (item.output === undefined) return "";
  if (item.stub === true) return stubText(item.output);
  const text = textFromResult(item.toolName, item.output, item.input ?? {});
  if (typeof text === "string") return text;
  return text
    .map((part) =>
      part.type === "text" ? part.text : `[image, ${part.mediaType}, ${part.base64.length} characters of base64]`,
    )
    .join("\n");
}

/** A `data:` address of an image file of the tree; absent for any other path and for addresses of the web. */
export async function treeImageAddress(tree: SnapshotTree, path: string): Promise<string | undefined> {
  if (!path.startsWith("/") || path.startsWith("//")) return undefined;
  const file = tree.file(normalizeFsPath(decodeURI(path)));
  if (file === undefined) return undefined;
  return imageAddress(await file.bytes());
}

/** A `data:` address for an image that is kept by its hash. */
export async function blobImageAddress(blobs: ProjectStore["blobs"], hash: string): Promise<string | undefined> {
  const bytes = await blobs.get(hash);
  return bytes === undefined ? undefined : imageAddress(bytes);
}

/** By what the bytes are, whatever they are called. */
function imageAddress(bytes: Uint8Array): string | undefined {
  const mediaType = imageMediaType(bytes);
  return mediaType === undefined ? undefined : `data:${mediaType};base64,${base64(bytes)}`;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000)
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(text);
}
