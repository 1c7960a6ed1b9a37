import type { SessionEvent } from "../session";
import { placementAt, reexecute, type DivergenceReport, type Placement, type ReexecuteOptions } from "../trajectory";
import { playgroundStartOf, type RecordedStarts } from "./recordedStarts";
import { reexecutionBinding } from "./reexecuteBinding";
import { readingShell } from "./reexecuteShell";
import type { ReexecutionChoice } from "./reexecuteState";
import { slicedWork } from "./slicedWork";
import type { WorkbenchCore } from "./workbenchCore";

export interface ReexecuteRunOptions {
  readonly events: readonly SessionEvent[];
  readonly starts: RecordedStarts;
  readonly choice: ReexecutionChoice;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/** The directory another program's recording worked in, `/` where it does not say; `undefined` for a log of ours. */
export function recordedRoot(events: readonly SessionEvent[]): string | undefined {
  if (playgroundStartOf(events) !== undefined) return undefined;
  const source = events.find((event) => event.type === "import.source");
  return (source?.type === "import.source" ? source.data.session.cwd : undefined) ?? "/";
}

/**
 * Runs a recording's calls again, in slices that leave the page usable; nothing is asked of anybody and nothing is written to
 * the mounts.
 * @throws DiscoveryError when the recorded agent cannot be bound
 */
export async function reexecuteRun(
  core: Pick<WorkbenchCore, "services" | "storage" | "project">,
  { events, starts, choice, signal, onProgress }: ReexecuteRunOptions,
): Promise<DivergenceReport> {
  const placement = placementFor(events, choice);
  const directory = commandDirectory(events, starts, choice);
  const shell = choice.runsCommands ? readingShell(core, directory) : undefined;
  const started = playgroundStartOf(events);
  const breathe = slicedWork();
  const options: ReexecuteOptions = {
    events,
    start: startFor(starts, choice),
    policy: choice.policy,
    blobs: core.storage.blobs,
    engine: core.services.engine,
    signal,
    onProgress,
    ...(placement === undefined ? {} : { placement }),
    ...(shell === undefined ? {} : { shell: shell.run }),
    ...(started === undefined ? {} : { bind: reexecutionBinding(started, core.services) }),
  };
  try {
    const calls = reexecute(options);
    for (;;) {
      const next = await calls.next();
      if (next.done === true) return next.value;
      await breathe();
    }
  } finally {
    await shell?.close();
  }
}

export function placementFor(
  events: readonly SessionEvent[],
  { start, root }: Pick<ReexecutionChoice, "start" | "root">,
): Placement | undefined {
  const isPlaced = start === "mounts" && root !== undefined && root !== "" && recordedRoot(events) !== undefined;
  return isPlaced ? placementAt(events, root) : undefined;
}

function startFor(
  { snapshot, mounts, inferred }: RecordedStarts,
  { start }: ReexecutionChoice,
): ReexecuteOptions["start"] {
  if (start === "inferred") return { kind: "inferred", inferred };
  if (start === "mounts") return { kind: "mounts", tree: mounts };
  if (snapshot === undefined) throw new Error("The tree the session began with is not kept here.");
  return { kind: "snapshot", tree: snapshot };
}

/** What the shell's disk is a copy of. */
function commandDirectory(
  events: readonly SessionEvent[],
  { inferred }: RecordedStarts,
  choice: ReexecutionChoice,
): string {
  const started = playgroundStartOf(events);
  if (started !== undefined) return started.mounts.find(({ kind }) => kind === "host")?.prefix ?? "/";
  const root = recordedRoot(events);
  const recorded = root === "/" ? undefined : root;
  const placed = choice.start === "mounts" && choice.root !== "" ? (choice.root ?? recorded) : recorded;
  return placed ?? commonDirectory(inferred.files.map(({ path }) => path));
}

/** The deepest directory that all of the paths lie in. */
export function commonDirectory(paths: readonly string[]): string {
  const [first = "", ...rest] = paths;
  let directory = first.slice(0, first.lastIndexOf("/"));
  for (const path of rest)
    while (directory !== "" && !path.startsWith(`${directory}/`))
      directory = directory.slice(0, directory.lastIndexOf("/"));
  return directory === "" ? "/" : directory;
}
