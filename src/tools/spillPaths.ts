import type { JsonObject, JsonValue } from "../base";
import { normalizeFsPath } from "../fs";

/**
 * Where results too large to show are put (docs/tools.md, section 10): `/tmp/{uuid}.txt` of the turn's own scratch on a
 * root, `{cwd}/agent-tools/{uuid}.txt` on a host's disk. There is no third place.
 */
export const SCRATCH_PREFIX = "/tmp";

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

export function scratchPath(uuid: string): string {
  return `${SCRATCH_PREFIX}/${uuid}.txt`;
}

export function hostSpillPath(cwd: string, uuid: string): string {
  return normalizeFsPath(`${cwd}/agent-tools/${uuid}.txt`);
}

/** The text with every host's path of a spilled result as that result's path in the scratch; the uuid stays the same. */
export function withScratchPaths(text: string, cwd: string): string {
  const directory = normalizeFsPath(`${cwd}/agent-tools`).replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  // What stands before it must end there: another directory's path may end with the same segments.
  const pattern = new RegExp(`(?<![\\w.~/-])${directory}/(${UUID})\\.txt(?![\\w-])`, "g");
  return text.replace(pattern, (_path, uuid: string) => scratchPath(uuid));
}

/** Tools whose `path` may name a spilled result. */
const READERS: ReadonlySet<string> = new Set(["Read", "Grep"]);

/** The arguments of a call, under published names, as they are meant on a root: only Read and Grep are touched, and only their path. */
export function inputOnScratch(toolName: string, input: JsonObject, cwd: string): JsonObject {
  const { path } = input;
  if (!READERS.has(toolName) || typeof path !== "string") return input;
  const meant = withScratchPaths(normalizeFsPath(path), cwd);
  return meant.startsWith(`${SCRATCH_PREFIX}/`) && meant !== normalizeFsPath(path) ? { ...input, path: meant } : input;
}

/** The value of a web tool with its paths in the scratch, whether they stand in a text or in a field (`output_location`). */
export function outputOnScratch(value: JsonValue, cwd: string): JsonValue {
  if (typeof value === "string") return withScratchPaths(value, cwd);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => outputOnScratch(item, cwd));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, inner]) => [key, outputOnScratch(inner as JsonValue, cwd)]));
}
