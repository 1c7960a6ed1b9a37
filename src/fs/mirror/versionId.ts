import { sha256HexSync } from "../../base";

/** What stands last in a version id, and in no hash. */
const MARK = "v";

/**
 * The id of one version of a file that lies elsewhere and whose contents need not be known: it stands where the hash of the
 * contents would, and is as long. `scope` names the folder or store; equal versions of a path there mean equal contents.
 */
export function versionId(scope: string, path: string, version: string): string {
  return sha256HexSync(`${scope}\0${path}\0${version}`).slice(0, -1) + MARK;
}

/** Whether an id names a version, so that it cannot be held against the contents. */
export function isVersionId(id: string): boolean {
  return id.endsWith(MARK);
}
