import { TrajectoryError } from "../trajectoryError";
import type { ImportAnswer, ImportRequest } from "./importProtocol";
import { giveImport, type ImportSink } from "./importSink";
import type { ImportSource } from "./importSource";
import { importTrajectory } from "./importTrajectory";

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

let taken: (() => void) | undefined;

function say(answer: ImportAnswer, transfer: Transferable[] = []): void {
  scope.postMessage(answer, transfer);
}

/** Says something and waits until it is taken. */
function give(answer: ImportAnswer, transfer?: Transferable[]): Promise<void> {
  return new Promise((resolve) => {
    taken = resolve;
    say(answer, transfer);
  });
}

const sink: ImportSink = {
  about(about) {
    // Bytes are handed over, not copied. Several may lie in one buffer, which can be handed over once.
    const buffers = new Set([...about.blobs.values()].map(({ buffer }) => buffer as ArrayBuffer));
    return give({ kind: "about", about }, [...buffers]);
  },
  session: (session) => give({ kind: "session", session }),
  events: (events) => give({ kind: "events", events }),
};

async function importAll(source: ImportSource): Promise<void> {
  const imported = await importTrajectory(source, { onProgress: (progress) => say({ kind: "progress", progress }) });
  await giveImport(imported, sink);
  say({ kind: "done" });
}

scope.addEventListener("message", ({ data }: MessageEvent<ImportRequest>) => {
  if (data.kind === "more") {
    taken?.();
    return;
  }
  importAll(data.source).catch((error: unknown) => {
    const code = error instanceof TrajectoryError ? error.code : "not-a-session";
    say({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
  });
});
