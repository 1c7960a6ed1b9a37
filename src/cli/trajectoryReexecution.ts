import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { limits } from "../base";
import { snapshotOf, type SnapshotTree } from "../fs";
import {
  inferStartTree,
  placementAt,
  reexecutionReport,
  sessionFromZip,
  type DivergencePolicy,
  type DivergenceReport,
  type ImportedSession,
  type ImportedTrajectory,
  type ReexecuteOptions,
} from "../trajectory";
import { failure } from "./commandError";
import { nodeEngine } from "./nodeEngine";
import { nodeFs } from "./nodeFs";

export const divergencePolicies = ["recorded", "real", "stop"] as const satisfies readonly DivergencePolicy[];

export interface ReexecutionRequest {
  /** The file or folder the session was read from. */
  readonly file: string;
  /** The directory the calls run on a copy of; absent for the tree the file holds, else for an inferred one. */
  readonly root: string | undefined;
  readonly policy: DivergencePolicy;
  readonly signal: AbortSignal;
}

/**
 * Runs the calls of a session again (docs/trajectory.md, section 5). Nothing is written to any directory; without a host no
 * command runs but one that shows a file.
 * @throws CommandError for a directory that is not there or too large
 */
export async function trajectoryReexecution(
  { events }: ImportedSession,
  { blobs: held, fidelity }: Pick<ImportedTrajectory, "blobs" | "fidelity">,
  { file, root, policy, signal }: ReexecutionRequest,
): Promise<DivergenceReport> {
  const saved = fidelity.files === "snapshot" ? await savedSession(file) : undefined;
  const blobs = { get: async (hash: string) => held.get(hash) ?? (await saved?.blobs.get(hash)) };
  const common = { events, policy, blobs, engine: nodeEngine, signal } satisfies Partial<ReexecuteOptions>;
  if (root !== undefined) {
    const tree = await directorySnapshot(root);
    const isForeign = events.some(({ type }) => type === "import.source");
    const placement = isForeign ? { placement: placementAt(events, "/") } : {};
    return await reexecutionReport({ ...common, ...placement, start: { kind: "mounts", tree } });
  }
  if (saved?.start !== undefined)
    return await reexecutionReport({ ...common, start: { kind: "snapshot", tree: saved.start } });
  const inferred = await inferStartTree(events, { blobs });
  return await reexecutionReport({ ...common, start: { kind: "inferred", inferred } });
}

/** A session's own file with its tree; `undefined` for a file of several. */
async function savedSession(file: string): Promise<Awaited<ReturnType<typeof sessionFromZip>> | undefined> {
  try {
    return await sessionFromZip(await openAsBlob(file));
  } catch {
    // A project's file, or one within a folder: the sessions were read, and their trees are inferred.
    return undefined;
  }
}

/** A directory as a tree in memory: the calls change a copy of it. @throws CommandError */
async function directorySnapshot(directory: string): Promise<SnapshotTree> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true) throw failure(`There is no directory ${directory}.`);
  const tree = nodeFs(directory);
  let totalBytes = 0;
  for await (const { sizeBytes = 0 } of tree.list("/")) {
    totalBytes += sizeBytes;
    if (totalBytes > limits.reexecutionTreeBytes)
      throw failure(`${directory} holds more than calls are run again on; name a smaller --root.`);
  }
  return await snapshotOf(tree);
}
