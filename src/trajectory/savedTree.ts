import type { JsonObject, JsonValue } from "../base";
import { normalizeFsPath, PathError, SnapshotTree, type FileEntry } from "../fs";
import { blobFile, type BlobReader } from "./createReplay";
import type { WarningList } from "./importWarning";

/** A tree as JSON: every file by its path and hash, and the directories that stay when they are empty. */
export function savedTree(tree: SnapshotTree): JsonObject {
  const files: JsonValue[] = [];
  const directories: string[] = [];
  for (const [path, entry] of tree.walk()) {
    if (entry.kind === "file") files.push([path, entry.hash, entry.sizeBytes, entry.modifiedAt]);
    else if (entry.isExplicit) directories.push(path);
  }
  return { files, directories };
}

/** The tree a saved one names, its contents read from `blobs` when asked for. What cannot be a path costs itself only. */
export function treeFromSaved(value: JsonValue, blobs: BlobReader, warnings: WarningList): SnapshotTree {
  const saved: JsonObject = isObject(value) ? value : {};
  const files: [string, FileEntry][] = [];
  let tree = SnapshotTree.empty;
  const attempt = (what: JsonValue, work: () => void): void => {
    try {
      work();
    } catch (error) {
      const reason = error instanceof PathError ? error.message : "it is not a file of a tree";
      warnings.add({ code: "bad-entry", message: `${JSON.stringify(what).slice(0, 200)} was left out: ${reason}.` });
    }
  };
  for (const entry of listOf(saved["files"])) attempt(entry, () => files.push(savedFile(entry, blobs)));
  try {
    tree = tree.withFiles(files);
  } catch {
    // One of them does not fit the others: found by taking them one at a time.
    for (const [path, file] of files) attempt(path, () => (tree = tree.withFile(path, file)));
  }
  for (const path of listOf(saved["directories"])) {
    attempt(path, () => (tree = tree.withDirectory(checkedPath(path))));
  }
  return tree;
}

function savedFile(entry: JsonValue, blobs: BlobReader): [string, FileEntry] {
  const [path, after, sizeBytes, modifiedAt] = listOf(entry);
  if (typeof after !== "string" || typeof sizeBytes !== "number" || typeof modifiedAt !== "number") {
    throw new TypeError("a file needs its hash, size and time");
  }
  const name = checkedPath(path);
  return [name, blobFile(name, { after, sizeBytes }, modifiedAt, blobs)];
}

function checkedPath(path: JsonValue | undefined): string {
  if (typeof path !== "string" || path === "/" || normalizeFsPath(path) !== path) {
    throw new TypeError("it is no absolute path");
  }
  return path;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
