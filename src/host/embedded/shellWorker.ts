import { systemClock } from "../../base";
import { idbFs, openProjectDatabase, PathError, type ProjectDatabase } from "../../fs";
import { hostCommandLoaders } from "./hostCommandLoaders";
import { ShellDisk } from "./shellDisk";
import type { FromShell, ShellAnswer, ShellJob, ToShell } from "./shellMessages";
import { shellBase, shellRun, type ShellPlace } from "./shellRun";

/*
 * The shell of the embedded host: the package runs here, because a loop of its never lets the event loop have a turn, and
 * the page ends it by ending this worker. It has the project's database open for itself.
 */

interface OpenShell {
  readonly place: ShellPlace;
  readonly database: ProjectDatabase;
  readonly stopFlag: Int32Array | undefined;
}

const scope = self as DedicatedWorkerGlobalScope;
const tell = (message: FromShell) => scope.postMessage(message, []);
const stops = new Map<number, AbortController>();
let shell: OpenShell | undefined;

scope.addEventListener("message", ({ data }: MessageEvent<ToShell>) => void answer(data));

async function answer(message: ToShell): Promise<void> {
  switch (message.kind) {
    case "open":
      return open(message);
    case "run":
      return run(message);
    case "abort":
      return stops.get(message.id)?.abort();
    case "flush":
      return flush(message.id);
    case "close":
      return close();
  }
}

async function open({ databaseName, diskName, modes, stopFlag }: ToShell & { readonly kind: "open" }): Promise<void> {
  try {
    const database = await openProjectDatabase(databaseName, { mustExist: true });
    const disk = await ShellDisk.open({
      disk: idbFs({ database, disk: diskName }),
      now: systemClock,
      gathersWrites: stopFlag !== undefined,
    });
    disk.setModes(modes);
    shell = { place: { disk, base: shellBase(), loaders: hostCommandLoaders }, database, stopFlag };
    tell({ kind: "ready" });
  } catch (error) {
    tell({ kind: "refused", code: error instanceof PathError ? "storage" : "boot-failed", message: wordsOf(error) });
  }
}

async function run(job: ShellJob): Promise<void> {
  if (shell === undefined) return;
  const stop = new AbortController();
  stops.set(job.id, stop);
  const result: ShellAnswer = await shellRun(shell.place, job, {
    signal: heardInLoops(stop.signal, shell.stopFlag),
    onEnded: () => tell({ kind: "storing", id: job.id }),
  });
  stops.delete(job.id);
  tell({ kind: "result", id: job.id, result });
}

/**
 * The signal as the package asks it between two steps: it also looks at the number the page shares, since in a loop of
 * steps no message arrives.
 */
function heardInLoops(signal: AbortSignal, flag: Int32Array | undefined): AbortSignal {
  if (flag === undefined) return signal;
  let hasFired = false;
  signal.addEventListener("abort", () => (hasFired = true));
  Object.defineProperty(signal, "aborted", { get: () => hasFired || Atomics.load(flag, 0) === 1 });
  return signal;
}

async function flush(id: number): Promise<void> {
  try {
    await shell?.place.disk.settle();
    tell({ kind: "flushed", id });
  } catch (error) {
    tell({ kind: "flushed", id, problem: wordsOf(error) });
  }
}

async function close(): Promise<void> {
  await shell?.place.disk.settle().catch(() => undefined);
  shell?.place.disk.close();
  shell?.database.close();
  scope.close();
}

function wordsOf(error: unknown): string {
  const reason = (error as { readonly reason?: string } | undefined)?.reason;
  return reason ?? (error instanceof Error ? error.message : String(error));
}
