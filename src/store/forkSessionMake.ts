import { definitionHash, definitionJson } from "../agent";
import { contentsFromBytes, diffTrees, SnapshotTree } from "../fs";
import {
  sessionIdFromSeed,
  type FileChange,
  type RecordedFork,
  type RecordedMount,
  type SessionEvent,
} from "../session";
import {
  createReplay,
  forkSession,
  inlinedEvent,
  reexecutionReport,
  type ForkEdit,
  type SessionFork,
} from "../trajectory";
import { boundAgent } from "./boundAgent";
import { forkedPlace } from "./compareFork";
import { forkPlan, forkStep } from "./forkSessionPlan";
import type { ForkChoice, ForkPlan, MadeFork, SessionForks } from "./forkSessionState";
import { isHostRuntime } from "./hostRuntime";
import { playgroundStartOf, recordedStarts, type RecordedStarts } from "./recordedStarts";
import type { AgentDocument } from "./projectDocument";
import type { StartOption } from "./reexecuteState";
import { eventsOf } from "./reexecuteStore";
import { recordedAgent } from "./recordedAgent";
import { newSessionRecord } from "./sessionRecords";
import { modelJson } from "./sessionRun";
import type { SessionStore } from "./sessionStoreState";
import type { WorkbenchCore } from "./workbenchCore";

/** Events written to a log at once. */
const BATCH_EVENTS = 500;

interface Opened {
  readonly events: readonly SessionEvent[];
  readonly starts: RecordedStarts;
}

export function sessionForks(core: WorkbenchCore, session: SessionStore): SessionForks {
  const opened = new WeakMap<ForkPlan, Opened>();
  const treeOf = (plan: ForkPlan, files: StartOption["kind"]) => {
    const { events, starts } = openedOf(opened, plan);
    return treeBefore(core, events, starts, files, plan.index + 1);
  };
  return {
    async plan(sessionId, index) {
      const events = await eventsOf(core, sessionId);
      const starts = await recordedStarts(core, events);
      const plan = forkPlan(core, { sessionId, index, events, starts: starts.options });
      opened.set(plan, { events, starts });
      return plan;
    },
    async paths(plan, files) {
      return [...(await treeOf(plan, files)).files()].map(([path]) => path);
    },
    async text(plan, files, path) {
      const file = (await treeOf(plan, files)).file(path);
      const contents = file === undefined ? undefined : contentsFromBytes(await file.bytes());
      return typeof contents === "string" ? contents : undefined;
    },
    async make(plan, choice) {
      const made = await storedFork(core, openedOf(opened, plan), plan, choice);
      await session.getState().takeFork(made);
      return made.sessionId;
    },
  };
}

/** A fork's turn with another message, as a fork of its own on the same files. @throws RangeError; what storage throws */
export async function forkWithMessage(
  core: WorkbenchCore,
  sessionId: string,
  turnId: string,
  message: string,
): Promise<MadeFork> {
  const events = await eventsOf(core, sessionId);
  const starts = await recordedStarts(core, events);
  const eventIndex = events.findIndex((event) => event.type === "message.received" && event.data.turnId === turnId);
  const plan = forkPlan(core, { sessionId, index: eventIndex, events, starts: starts.options });
  const edit = { kind: "message", eventIndex, message } as const;
  return await storedFork(core, { events, starts }, plan, { edit, goesOn: "live", files: "snapshot" });
}

function openedOf(opened: WeakMap<ForkPlan, Opened>, plan: ForkPlan): Opened {
  const found = opened.get(plan);
  if (found === undefined) throw new Error("The session was not looked at yet.");
  return found;
}

/**
 * The tree after the first `end` events on a start. What another program's calls have done to it is found by running them
 * again; what they left behind as recorded stands.
 */
async function treeBefore(
  { storage, services }: WorkbenchCore,
  events: readonly SessionEvent[],
  starts: RecordedStarts,
  files: StartOption["kind"],
  end: number,
): Promise<SnapshotTree> {
  const start = startTree(starts, files);
  const kept = events.slice(0, end);
  if (playgroundStartOf(events) !== undefined || files !== "inferred")
    return createReplay(kept, start, storage.blobs).treeAt(kept.length - 1);
  let tree = start;
  const inferred = { kind: "inferred", inferred: starts.inferred } as const;
  const onTree = (last: SnapshotTree) => (tree = last);
  await reexecutionReport({
    events: kept,
    start: inferred,
    blobs: storage.blobs,
    engine: services.engine,
    onTree,
  });
  return tree;
}

function startTree(starts: RecordedStarts, files: StartOption["kind"]): SnapshotTree {
  if (files === "mounts") return starts.mounts;
  return files === "inferred" ? starts.inferred.tree : (starts.snapshot ?? SnapshotTree.empty);
}

async function storedFork(
  core: WorkbenchCore,
  { events, starts }: Opened,
  plan: ForkPlan,
  choice: ForkChoice,
): Promise<MadeFork> {
  const { services, storage, project } = core;
  const seed = services.randomSeed();
  const sessionId = sessionIdFromSeed(seed);
  const start = startTree(starts, choice.files);
  const own = playgroundStartOf(events);
  const { at, edit } = await editOf(core, events, starts, plan, choice);
  const mounts = mountsFor(core, events, choice.files, start);
  const place = forkedPlace({
    agent: agentFor(core, plan, events, choice),
    model: project.getState().model,
    mounts,
    tree: start,
    engine: services.engine,
    clock: services.clock,
    harnessTools: () => core.connections.getState().harnessTools(project.getState().model),
  });
  const bound = await boundAgent(services, place, own?.asOf === undefined ? {} : { asOf: own.asOf });
  const made = forkSession(events, at, edit, {
    seed,
    playground: {
      definition: definitionJson(bound.definition),
      definitionHash: definitionHash(bound.definition),
      model: {},
      tools: [],
      mounts: [],
      snapshot: "",
      startedAt: new Date(services.clock()).toISOString(),
    },
  });
  const fork: RecordedFork = {
    from: plan.sessionId,
    step: forkStep(events, made.treeIndex + 1),
    eventIndex: plan.index,
    edit: choice.edit.kind,
    files: choice.files,
  };
  const ran = {
    fork,
    mounts,
    model: modelJson(project.getState().model),
    tools: bound.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    snapshot: await storage.saveSnapshot(start),
  };
  const found = await withFoundChanges(core, { events, starts }, made, choice.files);
  // A model is told what was said, and not where an import has put it.
  const log: SessionEvent[] = [];
  for (const event of found) log.push(own === undefined ? await inlinedEvent(event, storage.blobs) : event);
  if (made.file?.contents !== undefined) await storage.blobs.put(made.file.contents);
  const all = log.map((event) => (event.type === "session.started" ? startedWith(event, ran) : event));
  await stored(core, plan, sessionId, all);
  const recording =
    choice.goesOn === "recording" && own !== undefined
      ? { events, from: made.playFrom, sessionId: own.sessionId, onLive: tellLive(core) }
      : undefined;
  return { sessionId, events: all, next: made.next, ...(recording === undefined ? {} : { recording }) };
}

function startedWith(
  event: Extract<SessionEvent, { type: "session.started" }>,
  ran: Partial<NonNullable<(typeof event.data)["playground"]>>,
): SessionEvent {
  const { playground } = event.data;
  if (playground === undefined) return event;
  return { ...event, data: { ...event.data, playground: { ...playground, ...ran } } };
}

/** What running another program's calls again has changed is in no log yet. */
async function withFoundChanges(
  core: WorkbenchCore,
  { events, starts }: Opened,
  made: SessionFork,
  files: StartOption["kind"],
): Promise<readonly SessionEvent[]> {
  if (playgroundStartOf(events) !== undefined || files !== "inferred") return made.events;
  const tree = await treeBefore(core, events, starts, files, made.treeIndex + 1);
  const changes: FileChange[] = diffTrees(starts.inferred.tree, tree).map(({ kind: _kind, ...change }) => change);
  if (changes.length === 0) return made.events;
  for (const { path, after } of changes) {
    const file = after === undefined ? undefined : tree.file(path);
    if (file !== undefined) await core.storage.blobs.put(await file.bytes());
  }
  const end = made.events.length - (made.file === undefined ? 0 : 1);
  const { meta } = made.events[end - 1] ?? made.events[0] ?? { meta: { id: "", at: "" } };
  const found: SessionEvent = {
    type: "tree.changed",
    data: { reason: "edit", changes },
    meta: { id: `${meta.id}/files`, at: meta.at },
  };
  return [...made.events.slice(0, end), found, ...made.events.slice(end)];
}

async function editOf(
  core: WorkbenchCore,
  events: readonly SessionEvent[],
  starts: RecordedStarts,
  plan: ForkPlan,
  { edit, files }: ForkChoice,
): Promise<{ readonly at: number; readonly edit: ForkEdit }> {
  switch (edit.kind) {
    case "message":
      return { at: edit.eventIndex, edit: { kind: "message", message: edit.message } };
    case "tool-result": {
      const target = plan.results.find(({ eventIndex }) => eventIndex === edit.eventIndex);
      const isJson = target?.isJson === true && !edit.failed;
      const output = isJson ? (JSON.parse(edit.text) as never) : edit.text;
      return {
        at: edit.eventIndex,
        edit: { kind: "tool-result", output, status: edit.failed ? "failed" : "completed" },
      };
    }
    case "file": {
      const tree = await treeBefore(core, events, starts, files, plan.index + 1);
      const before = tree.file(edit.path)?.hash;
      const { path, contents } = edit;
      return {
        at: plan.index,
        edit: {
          kind: "file",
          path,
          ...(contents === undefined ? {} : { contents }),
          ...(before === undefined ? {} : { before }),
        },
      };
    }
    default:
      return { at: plan.index, edit };
  }
}

/** The agent of the recording; another program's is ours with its instructions. */
function agentFor(
  { project }: WorkbenchCore,
  plan: ForkPlan,
  events: readonly SessionEvent[],
  { edit }: ForkChoice,
): AgentDocument {
  const own = playgroundStartOf(events);
  const instructions = edit.kind === "instructions" ? edit.instructions : plan.instructions;
  if (own !== undefined) return { ...recordedAgent(own.definition), instructions };
  const { runtime, ...agent } = project.getState().agent;
  return { ...agent, ...(runtime === undefined || isHostRuntime(runtime) ? {} : { runtime }), instructions };
}

function mountsFor(
  { mounts }: WorkbenchCore,
  events: readonly SessionEvent[],
  files: StartOption["kind"],
  start: SnapshotTree,
): readonly RecordedMount[] {
  if (files === "mounts") return mounts.getState().table().recorded();
  const own = playgroundStartOf(events);
  if (own !== undefined && own.mounts.length > 0) return own.mounts;
  const tops = [...new Set([...start.files()].map(([path]) => `/${path.split("/")[1] ?? ""}`))];
  const prefixes = tops.some((top) => start.file(top) !== undefined) ? ["/"] : tops;
  return (prefixes.length === 0 ? ["/work"] : prefixes).map((prefix) => ({ prefix, kind: "memory", readOnly: false }));
}

async function stored(
  { storage, services }: WorkbenchCore,
  plan: ForkPlan,
  sessionId: string,
  events: readonly SessionEvent[],
): Promise<void> {
  const old = (await storage.sessions()).find(({ id }) => id === plan.sessionId);
  await storage.createSession({
    ...newSessionRecord(sessionId, `Fork of ${old?.name ?? "a session"}`, services.clock()),
    eventCount: 0,
    origin: "fork",
  });
  const log = storage.log(sessionId);
  for (let index = 0; index < events.length; index += BATCH_EVENTS)
    await log.append(events.slice(index, index + BATCH_EVENTS));
}

function tellLive({ notices }: Pick<WorkbenchCore, "notices">): (playedSteps: number) => void {
  return (steps) =>
    void notices.getState().push({
      tone: "info",
      text: `The recording answered ${steps === 1 ? "1 step" : `${steps} steps`} of the fork. The next request was another than the recorded one, so the model answers from there on.`,
      timeoutMs: 15_000,
    });
}
