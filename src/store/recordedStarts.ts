import type { SnapshotTree } from "../fs";
import type { PlaygroundStart, SessionEvent } from "../session";
import { inferStartTree, type InferredTree } from "../trajectory";
import { messageFromError } from "./messageFromError";
import type { StartOption } from "./reexecuteState";
import { slicedWork } from "./slicedWork";
import type { WorkbenchCore } from "./workbenchCore";

/** The trees a recording can go on with, those that are here. */
export interface RecordedStarts {
  readonly snapshot?: SnapshotTree;
  readonly mounts: SnapshotTree;
  readonly inferred: InferredTree;
  readonly options: readonly StartOption[];
}

/** What a log of ours says it began with; `undefined` for another program's. */
export function playgroundStartOf(events: readonly SessionEvent[]): PlaygroundStart | undefined {
  const started = events.find((event) => event.type === "session.started");
  return started?.type === "session.started" ? started.data.playground : undefined;
}

/**
 * Finds the trees, in slices that leave the page usable.
 * @throws what the mounts throw; the signal's reason once it fires
 */
export async function recordedStarts(
  { storage, mounts }: Pick<WorkbenchCore, "storage" | "mounts">,
  events: readonly SessionEvent[],
  signal?: AbortSignal,
): Promise<RecordedStarts> {
  const breathe = slicedWork();
  const pace = async () => {
    signal?.throwIfAborted();
    await breathe();
  };
  const kept = await keptTree(storage, playgroundStartOf(events)?.snapshot);
  const inferred = await inferStartTree(events, { blobs: storage.blobs, pace });
  const today = await mounts.getState().currentSnapshot();
  const { files } = inferred;
  return {
    ...("tree" in kept ? { snapshot: kept.tree } : {}),
    mounts: today,
    inferred,
    options: [
      "tree" in kept
        ? { kind: "snapshot", fileCount: kept.tree.fileCount }
        : { kind: "snapshot", fileCount: 0, unavailable: kept.why },
      { kind: "mounts", fileCount: today.fileCount },
      files.length > 0
        ? { kind: "inferred", fileCount: files.length, inferred: files }
        : {
            kind: "inferred",
            fileCount: 0,
            unavailable: "The recording shows no file before something had written it.",
          },
    ],
  };
}

async function keptTree(
  storage: WorkbenchCore["storage"],
  rootHash: string | undefined,
): Promise<{ readonly tree: SnapshotTree } | { readonly why: string }> {
  if (rootHash === undefined) return { why: "The recording comes from another program and holds no tree." };
  try {
    return { tree: await storage.loadSnapshot(rootHash) };
  } catch (error) {
    return { why: `The tree the session began with is not kept here: ${messageFromError(error)}` };
  }
}
