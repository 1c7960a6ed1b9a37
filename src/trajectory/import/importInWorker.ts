import type { SessionEvent } from "../../session";
import { TrajectoryError } from "../trajectoryError";
import type { ImportedSession, ImportedTrajectory } from "./importedTrajectory";
import type { ImportAnswer, ImportRequest } from "./importProtocol";
import type { ImportSource } from "./importSource";
import type { ImportOptions } from "./importTrajectory";

/**
 * `importTrajectory` beside the page. One worker for one import: it ends with it, and is ended when `signal` fires.
 *
 * @param createWorker a new worker of `importWorker.ts`
 * @throws TrajectoryError as `importTrajectory`; `not-a-session` too when the worker breaks · what the signal was aborted with
 */
export async function importInWorker(
  createWorker: () => Worker,
  source: ImportSource,
  { signal, onProgress }: ImportOptions = {},
): Promise<ImportedTrajectory> {
  signal?.throwIfAborted();
  const worker = createWorker();
  try {
    return await answered(worker, source, { ...(signal && { signal }), ...(onProgress && { onProgress }) });
  } finally {
    worker.terminate();
  }
}

function answered(worker: Worker, source: ImportSource, options: ImportOptions): Promise<ImportedTrajectory> {
  const { signal, onProgress } = options;
  const sessions: (Omit<ImportedSession, "events"> & { readonly events: SessionEvent[] })[] = [];
  return new Promise((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whoever aborts says with what
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.addEventListener("error", ({ message }) => {
      reject(new TrajectoryError("not-a-session", `The import broke off: ${message || "its worker ended"}.`));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<ImportAnswer>) => {
      switch (data.kind) {
        case "progress":
          onProgress?.(data.progress);
          break;
        case "session":
          sessions.push({ ...data.session, events: [] });
          break;
        case "events":
          for (const event of data.events) sessions.at(-1)?.events.push(event);
          break;
        case "done":
          resolve({ ...data.trajectory, sessions });
          break;
        case "failed":
          reject(new TrajectoryError(data.code, data.message));
          break;
        default:
      }
    });
    const request: ImportRequest = { source };
    worker.postMessage(request, []);
  });
}
