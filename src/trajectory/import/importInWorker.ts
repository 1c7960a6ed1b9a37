import type { SessionEvent } from "../../session";
import { TrajectoryError } from "../trajectoryError";
import type { ImportedSession, ImportedTrajectory } from "./importedTrajectory";
import type { ImportAnswer, ImportRequest } from "./importProtocol";
import { giveImport, type ImportSink } from "./importSink";
import type { ImportSource } from "./importSource";
import { importTrajectory, type ImportOptions } from "./importTrajectory";

/**
 * `importTrajectory` beside the page. One worker for one import: it ends with it, and is ended when `signal` fires.
 *
 * @param createWorker a new worker of `importWorker.ts`
 * @throws TrajectoryError as `importTrajectory`; `not-a-session` too when the worker breaks · what the signal was aborted with
 */
export async function importInWorker(
  createWorker: () => Worker,
  source: ImportSource,
  options: ImportOptions = {},
): Promise<ImportedTrajectory> {
  const sessions: (Omit<ImportedSession, "events"> & { readonly events: SessionEvent[] })[] = [];
  let about: Omit<ImportedTrajectory, "sessions"> | undefined;
  await workerImport(createWorker, source, options, {
    about: async (told) => void (about = told),
    session: async (session) => void sessions.push({ ...session, events: [] }),
    async events(events) {
      for (const event of events) sessions.at(-1)?.events.push(event);
    },
  });
  if (about === undefined) throw new TrajectoryError("not-a-session", "The import ended before it began.");
  return { ...about, sessions };
}

/**
 * An import piece by piece: read beside the page where there are workers, never more of it held here than the sink takes
 * at once.
 *
 * @throws TrajectoryError as `importInWorker` · what the sink throws · what the signal was aborted with
 */
export async function importPieces(source: ImportSource, sink: ImportSink, options: ImportOptions = {}): Promise<void> {
  if (typeof Worker !== "undefined") return await workerImport(ownWorker, source, options, sink);
  const imported = await importTrajectory(source, options);
  await giveImport(imported, sink);
  options.signal?.throwIfAborted();
}

function ownWorker(): Worker {
  return new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
}

async function workerImport(
  createWorker: () => Worker,
  source: ImportSource,
  { signal, onProgress }: ImportOptions,
  sink: ImportSink,
): Promise<void> {
  signal?.throwIfAborted();
  const worker = createWorker();
  try {
    await answered(worker, source, { ...(signal && { signal }), ...(onProgress && { onProgress }) }, sink);
  } finally {
    worker.terminate();
  }
}

function answered(worker: Worker, source: ImportSource, options: ImportOptions, sink: ImportSink): Promise<void> {
  const { signal, onProgress } = options;
  const ask = (request: ImportRequest) => worker.postMessage(request, []);
  return new Promise((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whoever aborts says with what
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.addEventListener("error", ({ message }) => {
      reject(new TrajectoryError("not-a-session", `The import broke off: ${message || "its worker ended"}.`));
    });
    const take = (taken: Promise<void>) => void taken.then(() => ask({ kind: "more" }), reject);
    worker.addEventListener("message", ({ data }: MessageEvent<ImportAnswer>) => {
      switch (data.kind) {
        case "progress":
          onProgress?.(data.progress);
          break;
        case "about":
          take(sink.about(data.about));
          break;
        case "session":
          take(sink.session(data.session));
          break;
        case "events":
          take(sink.events(data.events));
          break;
        case "done":
          resolve();
          break;
        case "failed":
          reject(new TrajectoryError(data.code, data.message));
          break;
        default:
      }
    });
    ask({ kind: "import", source });
  });
}
