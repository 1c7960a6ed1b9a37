import { openAsBlob } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { limits } from "../base";
import { importTrajectory, type ImportedTrajectory, type SourceFile } from "../trajectory";
import { failure } from "./commandError";
import { isNodeError } from "./isNodeError";
import { systemMessage } from "./nodeError";

/**
 * The sessions of a file, or of all files of a folder.
 * @throws CommandError for what is not there, or holds nothing that can be read
 */
export async function openTrajectory(path: string, signal: AbortSignal): Promise<ImportedTrajectory> {
  const files = await sourceFiles(path);
  try {
    return await importTrajectory({ files, name: basename(path) }, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw failure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function sourceFiles(path: string): Promise<readonly SourceFile[]> {
  try {
    const place = await stat(path);
    if (!place.isDirectory()) return [{ path: basename(path), blob: await openAsBlob(path) }];
    return await filesBelow(path);
  } catch (error) {
    throw isNodeError(error) ? failure(`${path} cannot be read: ${systemMessage(error)}.`) : error;
  }
}

async function filesBelow(root: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  if (paths.length > limits.importFiles) throw failure(`${root} holds more files than one import takes.`);
  for (const path of paths.toSorted()) {
    files.push({ path: relative(root, path).split(sep).join("/"), blob: await openAsBlob(path) });
  }
  return files;
}
