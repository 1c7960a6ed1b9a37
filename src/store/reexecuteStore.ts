import { createStore } from "zustand/vanilla";
import { HOST_ROOT } from "../host";
import type { SessionEvent } from "../session";
import { diffLines } from "../tools";
import {
  compareReports,
  declaredNormalisers,
  reportFromText,
  reportText,
  type DivergenceReport,
  type ReexecutedCall,
} from "../trajectory";
import { messageFromError } from "./messageFromError";
import { placementFor, recordedRoot, reexecuteRun } from "./reexecuteRun";
import { playgroundStartOf, recordedStarts, type RecordedStarts } from "./recordedStarts";
import type { ReexecuteState, ReexecuteStore, ReexecutionPlan, ShownReport } from "./reexecuteState";
import type { DifferenceLine } from "./sessionDifference";
import { slicedWork } from "./slicedWork";
import type { WorkbenchCore } from "./workbenchCore";

interface Prepared {
  readonly sessionId: string;
  readonly events: readonly SessionEvent[];
  readonly starts: RecordedStarts;
}

/** Recorded sessions run again, and what came of it. Nothing of it reaches the mounts, and nobody is asked. */
export function createReexecuteStore(core: WorkbenchCore): ReexecuteStore {
  let prepared: Prepared | undefined;
  let work = new AbortController();
  return createStore<ReexecuteState>()((set, get) => {
    const showFile = async (file: File, show: (report: DivergenceReport) => void) => {
      try {
        show(reportFromText(await file.text()));
      } catch (error) {
        set({ problem: `${file.name} cannot be shown: ${messageFromError(error)}` });
      }
    };
    return {
      ...startState,
      async prepare(sessionId) {
        if (get().sessionId === sessionId && get().running !== undefined) return;
        work.abort();
        work = new AbortController();
        const { signal } = work;
        const isSame = get().sessionId === sessionId;
        set({
          sessionId,
          isPreparing: true,
          problem: undefined,
          running: undefined,
          ...(isSame ? {} : { plan: undefined, shown: undefined, compared: undefined }),
        });
        try {
          const events = await eventsOf(core, sessionId, signal);
          const starts = await recordedStarts(core, events, signal);
          if (signal.aborted) return;
          prepared = { sessionId, events, starts };
          set({ plan: planFor(core, prepared), isPreparing: false });
        } catch (error) {
          if (!signal.aborted) set({ isPreparing: false, problem: messageFromError(error) });
        }
      },
      async run(choice) {
        if (prepared === undefined || get().running !== undefined) return;
        const { events, starts, sessionId } = prepared;
        work = new AbortController();
        set({ running: { done: 0, total: get().plan?.callCount ?? 0 }, problem: undefined, compared: undefined });
        const { signal } = work;
        try {
          const onProgress = progressSoon(core, (running) => {
            if (get().running !== undefined) set({ running });
          });
          const report = await reexecuteRun(core, { events, starts, choice, signal, onProgress });
          if (get().sessionId !== sessionId) return;
          set({ running: undefined, shown: { name: "This run", report, isOfSession: true } });
        } catch (error) {
          if (get().sessionId === sessionId)
            set({ running: undefined, problem: `The calls could not be run: ${messageFromError(error)}` });
        }
      },
      stop: () => work.abort(),
      open: (file) =>
        showFile(file, (report) => {
          const own = prepared === undefined ? undefined : sessionIdsOf(prepared.events);
          const isOfSession = own?.includes(report.sessionId) === true;
          set({ shown: { name: file.name, report, isOfSession }, compared: undefined, problem: undefined });
        }),
      compareWith: (file) =>
        showFile(file, (before) => {
          const { shown } = get();
          if (shown === undefined) return;
          const comparison = compareReports(before, shown.report);
          set({ compared: { name: file.name, comparison }, problem: undefined });
        }),
      endComparison: () => set({ compared: undefined }),
      closeReport: () => set({ shown: undefined, compared: undefined, problem: undefined }),
      saved: () => savedReport(get().shown),
      linesOf,
    };
  });
}

const startState = {
  sessionId: undefined,
  isPreparing: false,
  plan: undefined,
  problem: undefined,
  running: undefined,
  shown: undefined,
  compared: undefined,
} as const satisfies Partial<ReexecuteState>;

/** @throws Error when the session is gone; what the stored log throws; the signal's reason once it fires */
export async function eventsOf(
  { storage }: Pick<WorkbenchCore, "storage">,
  sessionId: string,
  signal?: AbortSignal,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const breathe = slicedWork();
  for await (const batch of storage.log(sessionId).read()) {
    signal?.throwIfAborted();
    events.push(...batch);
    await breathe();
  }
  if (events.length === 0) throw new Error("The session has no events: it may have been deleted.");
  return events;
}

function planFor({ mounts, services }: WorkbenchCore, { events, starts }: Prepared): ReexecutionPlan {
  const actions = events.flatMap((event) => (event.type === "actions.requested" ? event.data.actions : []));
  const isForeign = playgroundStartOf(events) === undefined;
  const root = recordedRoot(events);
  const prefixes = mounts.getState().mounts.map(({ prefix }) => prefix);
  return {
    callCount: actions.length,
    commandCount: actions.filter(({ toolName, input }) => isCommand(toolName, input)).length,
    starts: starts.options,
    ...(isForeign ? { foreign: root === undefined ? {} : { root } } : {}),
    mounts: prefixes.filter((prefix) => prefix !== HOST_ROOT).concat(prefixes.filter((prefix) => prefix === HOST_ROOT)),
    normalisers: declaredNormalisers(events, placementFor(events, { start: "snapshot" })),
    ...(services.createHost === undefined ? { noShell: "There is no in-page shell here." } : {}),
  };
}

function isCommand(toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  return /shell|bash|exec|terminal|command/i.test(toolName) || "command" in input || "cmd" in input;
}

function sessionIdsOf(events: readonly SessionEvent[]): readonly string[] {
  const own = playgroundStartOf(events)?.sessionId;
  const source = events.find((event) => event.type === "import.source");
  return [...(own === undefined ? [] : [own]), ...(source?.type === "import.source" ? [source.data.session.id] : [])];
}

/** Told at most once a frame. */
function progressSoon(
  { services }: Pick<WorkbenchCore, "services">,
  tell: (progress: { readonly done: number; readonly total: number }) => void,
): (progress: { readonly done: number; readonly total: number }) => void {
  let last: { readonly done: number; readonly total: number } | undefined;
  return (progress) => {
    const isAsked = last !== undefined;
    last = progress;
    if (isAsked) return;
    services.scheduleFrame(() => {
      if (last !== undefined) tell(last);
      last = undefined;
    });
  };
}

function savedReport(shown: ShownReport | undefined): ReturnType<ReexecuteState["saved"]> {
  if (shown === undefined) return undefined;
  const { report } = shown;
  // Reports are compared with each other: tree and policy tell them apart.
  const session = report.sessionId.slice(0, 40).replaceAll(/[^\w.-]+/g, "-") || "session";
  const name = `divergence-${session}-${report.start.kind}-${report.policy}.json`;
  return { name, contents: new Blob([reportText(report)], { type: "application/json" }) };
}

function linesOf({ difference }: ReexecutedCall): readonly DifferenceLine[] {
  return difference === undefined ? [] : diffLines(difference.expected ?? "", difference.actual ?? "");
}
