import { DiscoveryError, type DiscoveryFault } from "../base";
import { isUnder, isValidFsPath, normalizeFsPath, type FileToWrite } from "../fs";

/** Kept for what an agent remembers from one session to the next. */
const RESERVED = "/memory";

/**
 * The files a message puts into the tree before its turn, by absolute path (docs/runtime.md, section 6).
 * @throws DiscoveryError with every path that cannot be one of them
 */
export function seedFiles(files: Readonly<Record<string, string | Uint8Array>>): FileToWrite[] {
  const faults = Object.keys(files).flatMap(pathFaults);
  if (faults.length > 0) throw new DiscoveryError(faults);
  return Object.entries(files).map(([path, contents]) => [normalizeFsPath(path), contents]);
}

function pathFaults(path: string): DiscoveryFault[] {
  const normal = normalizeFsPath(path);
  const field = `workspaceFiles[${JSON.stringify(path)}]`;
  if (isUnder(normal, RESERVED)) {
    return [{ field, problem: "memory/ is reserved for what the agent remembers.", mend: "Put the file elsewhere." }];
  }
  if (normal !== "/" && isValidFsPath(normal)) return [];
  return [{ field, problem: "It is no path of a file.", mend: "Give a path such as docs/a.md." }];
}
