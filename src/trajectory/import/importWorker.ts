import { limits } from "../../base";
import { TrajectoryError } from "../trajectoryError";
import type { ImportAnswer, ImportRequest } from "./importProtocol";
import { importTrajectory } from "./importTrajectory";

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

function say(answer: ImportAnswer, transfer: Transferable[] = []): void {
  scope.postMessage(answer, transfer);
}

async function importAll({ source }: ImportRequest): Promise<void> {
  const { sessions, ...trajectory } = await importTrajectory(source, {
    onProgress: (progress) => say({ kind: "progress", progress }),
  });
  for (const { events, ...session } of sessions) {
    say({ kind: "session", session });
    for (let from = 0; from < events.length; from += limits.logBatchEvents) {
      say({ kind: "events", events: events.slice(from, from + limits.logBatchEvents) });
    }
  }
  // Bytes are handed over, not copied. Several may lie in one buffer, which can be handed over once.
  const buffers = new Set([...trajectory.blobs.values()].map(({ buffer }) => buffer as ArrayBuffer));
  say({ kind: "done", trajectory }, [...buffers]);
}

scope.addEventListener("message", ({ data }: MessageEvent<ImportRequest>) => {
  importAll(data).catch((error: unknown) => {
    const code = error instanceof TrajectoryError ? error.code : "not-a-session";
    say({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
  });
});
