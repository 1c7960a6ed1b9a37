import { AsyncQueue, limits, nativeFileToolNames, type JsonValue, type NativeFileToolName } from "../base";
import { isUnder, isVersionedTree, snapshotOf, type SnapshotTree } from "../fs";
import { hostSpillPath, SCRATCH_PREFIX, scratchPath, synthesizeTools, type Tool, type ToolCall } from "../tools";
import { callTree, type CallTree } from "./callTree";
import type { PlannedCall } from "./checkCalls";
import type { EventDraft } from "./eventStamp";
import { fileChanges } from "./fileChanges";
import { openTurn } from "./openTurn";
import type { FileChange, SessionEvent, ToolCallAction } from "./sessionEvent";
import { unlessStopped } from "./unlessStopped";
import { failureFromError, INTERRUPTED, unsuccessfulResult, type StepPlace, type TurnRun } from "./turnRun";

/** What a dry run answers in the place of a write, when the tool names nothing else. */
const STUB_RESULT = "Operation acknowledged.";

/**
 * Runs the calls of a step and tells their results in the order the calls were requested, each exactly once, whatever
 * happens. Reads that stand together run at the same time; a write runs alone, after all before it and before all after
 * it: a model that reads, writes and reads again gets what it would have got one call at a time. Answers whether a call
 * has come to wait for a person: a subagent's, whose request is then told in the place of a result.
 *
 * @throws when what a call left behind cannot be kept; its results have been told by then
 */
export async function* executeToolCalls(
  run: TurnRun,
  place: StepPlace,
  calls: readonly PlannedCall[],
): AsyncGenerator<SessionEvent, boolean> {
  const queue = new AsyncQueue<EventDraft | Pause>();
  const finished = runAll(run, place, calls, queue);
  finished.then(
    () => queue.end(),
    (error: unknown) => queue.fail(error),
  );
  for await (const item of queue) {
    if ("type" in item) yield run.emit(item);
    else {
      for (const data of (await run.options.personChanges?.take()) ?? [])
        yield run.emit({ type: "tree.changed", data });
      item.over();
    }
  }
  return await finished;
}

/** A moment in which no call runs and every result so far has been told; calls go on when it is over. */
interface Pause {
  over(): void;
}

async function pause(run: TurnRun, queue: CallQueue): Promise<void> {
  if (run.options.personChanges === undefined) return;
  await new Promise<void>((over) => queue.push({ over }));
}

type CallQueue = AsyncQueue<EventDraft | Pause>;

async function runAll(
  run: TurnRun,
  place: StepPlace,
  calls: readonly PlannedCall[],
  queue: CallQueue,
): Promise<boolean> {
  const results: (readonly EventDraft[] | undefined)[] = calls.map(() => undefined);
  let told = 0;
  let waits = false;
  let unkept: { readonly error: unknown } | undefined;
  const runOne = async (call: PlannedCall, index: number): Promise<void> => {
    const { drafts, isWaiting = false, error } = await resultOf(run, place, call, queue);
    unkept ??= error;
    waits ||= isWaiting;
    results[index] = drafts;
    for (let next = results[told]; next !== undefined; next = results[told]) {
      for (const draft of next) queue.push(draft);
      told++;
    }
  };
  for (let start = 0; start < calls.length;) {
    const end = batchEnd(calls, start);
    await pause(run, queue);
    await Promise.all(calls.slice(start, end).map((call, offset) => runOne(call, start + offset)));
    start = end;
  }
  await pause(run, queue);
  if (unkept !== undefined) throw unkept.error;
  return waits;
}

/** Where the calls that may run together with the one at `start` end. */
function batchEnd(calls: readonly PlannedCall[], start: number): number {
  let end = start;
  while (end < calls.length && end - start < limits.parallelCalls && isHarmless(calls[end])) end++;
  return Math.max(end, start + 1);
}

function isHarmless(call: PlannedCall | undefined): boolean {
  return call?.kind !== "run" || call.tool.effect === "read";
}

/** What is told of a call: its result, or what a subagent waits for. */
interface OneResult {
  readonly drafts: readonly EventDraft[];
  readonly isWaiting?: boolean;
  readonly error?: { readonly error: unknown };
}

async function resultOf(run: TurnRun, place: StepPlace, call: PlannedCall, queue: CallQueue): Promise<OneResult> {
  if (call.kind === "refuse") return { drafts: [unsuccessfulResult(place, call.action, call.status, call.error)] };
  if (run.signal.aborted) return { drafts: [unsuccessfulResult(place, call.action, "failed", INTERRUPTED)] };
  if (call.kind === "stub") {
    const output = call.tool.dryRunResult ?? STUB_RESULT;
    return { drafts: [completedResult(place, call.action, output, { stub: true })] };
  }
  if (call.tool.native && call.tool.name === "task") return await executeTask(run, place, call, queue);
  return await execute(run, place, call, queue);
}

async function execute(
  run: TurnRun,
  place: StepPlace,
  { action, tool, input }: Extract<PlannedCall, { kind: "run" | "stub" | "ask" }>,
  queue: CallQueue,
): Promise<OneResult> {
  const { treeForCall, services } = run.options;
  const begunAt = services.clock();
  const view = callTree({ bound: run.bound, treeForCall, signal: run.signal, now: services.clock });
  const running = new AbortController();
  const toolCall = toolCallFor(run, place, action, view, (draft) => {
    if (!running.signal.aborted && !run.signal.aborted) queue.push(draft);
  });
  const before = await treeBefore(run, tool);
  let draft: (more: CallFacts) => EventDraft;
  const work = toolOn(view, tool, run.bound).execute(input, toolCall);
  try {
    const output = await unlessStopped(work, run.signal);
    draft = (more) => completedResult(place, action, output, more);
  } catch (error) {
    const failure = run.signal.aborted ? INTERRUPTED : failureFromError(error, run.scrub, "tool-failed");
    draft = (more) => unsuccessfulResult(place, action, "failed", failure, more);
    // What writes in ways of its own may do so until it has ended.
    if (before !== undefined) await inTime(work.catch(() => undefined));
  }
  running.abort();
  const { facts, error } = await factsOf(run, view, tool, before);
  const durationMs = Math.max(0, services.clock() - begunAt);
  return { drafts: [draft({ durationMs, ...facts })], ...(error === undefined ? {} : { error }) };
}

/** A subagent's calls have kept what they left behind; one that is stopped gets the time to tell of its last write. */
async function executeTask(
  run: TurnRun,
  place: StepPlace,
  { action, input, resume }: Extract<PlannedCall, { kind: "run" | "stub" | "ask" }>,
  queue: CallQueue,
): Promise<OneResult> {
  const { clock } = run.options.services;
  const begunAt = clock();
  const partial = (output: JsonValue): EventDraft => {
    const { callId, toolName } = action;
    return { type: "action.partial", data: { ...place, result: { kind: "tool-result", callId, toolName, output } } };
  };
  const report = (output: JsonValue): void => {
    if (!run.signal.aborted) queue.push(partial(output));
  };
  const task = run.task({ action, input, report, ...(resume === undefined ? {} : { resume }) });
  const factsNow = (): CallFacts => {
    const { served, changes } = task.facts();
    return {
      durationMs: Math.max(0, clock() - begunAt),
      ...(served.length === 0 ? {} : { served }),
      ...(changes.length === 0 ? {} : { changes }),
    };
  };
  try {
    const end = await unlessStopped(task.output, run.signal);
    if (end.kind === "done") return { drafts: [completedResult(place, action, end.value, factsNow())] };
    const known = new Set(openTurn(run.log)?.pending.map(({ requestId }) => requestId));
    const requests = end.requests.filter(({ requestId }) => !known.has(requestId));
    const asked: EventDraft[] =
      requests.length === 0 ? [] : [{ type: "input.requested", data: { ...place, requests } }];
    return { drafts: [partial(end.value), ...asked], isWaiting: true };
  } catch (error) {
    await inTime(task.output.catch(() => undefined));
    const failure = run.signal.aborted ? INTERRUPTED : failureFromError(error, run.scrub, "tool-failed");
    return { drafts: [unsuccessfulResult(place, action, "failed", failure, factsNow())] };
  }
}

type CallFacts = Pick<
  Extract<EventDraft, { type: "action.result" }>["data"],
  "durationMs" | "served" | "changes" | "stub"
>;

/** Who served the call and what it changed, once its writes are done; what it left behind is kept. */
async function factsOf(
  run: TurnRun,
  view: CallTree,
  tool: Tool,
  before: SnapshotTree | undefined,
): Promise<{ facts: CallFacts; error?: { readonly error: unknown } }> {
  const served = view.served();
  const facts: CallFacts = served.length === 0 ? {} : { served };
  if (tool.effect === "read" && !view.hasWritten()) return { facts };
  try {
    await inTime(view.settled());
    const { changes, after } = before === undefined ? await view.changes() : await changesSince(run, before);
    if (changes.length === 0) return { facts };
    await run.options.services.keep(after, changes);
    return { facts: { ...facts, changes } };
  } catch (error) {
    return { facts, error: { error } };
  }
}

/** The tree before a call of a tool that writes in ways of its own, which no view of ours can note. */
async function treeBefore(run: TurnRun, tool: Tool): Promise<SnapshotTree | undefined> {
  const { tree } = run.bound;
  // What a server's tool changes is not here.
  const mayWrite = tool.effect === "write" && !isFileTool(tool) && tool.mcp === undefined;
  return mayWrite && isVersionedTree(tree) ? await tree.snapshot() : undefined;
}

async function changesSince(
  run: TurnRun,
  before: SnapshotTree,
): Promise<{ changes: readonly FileChange[]; after: SnapshotTree }> {
  const after = await snapshotOf(run.bound.tree);
  const isPersons = (path: string) => run.options.personChanges?.covers(path) ?? false;
  const isScratch = (path: string) => run.bound.scratch !== undefined && isUnder(path, SCRATCH_PREFIX);
  return { changes: fileChanges(before, after).filter(({ path }) => !isPersons(path) && !isScratch(path)), after };
}

/** Waits for writes under way, so that a result comes after them; a tree that never answers does not hold up a stop. */
async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limits.stopGraceMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** The tool on the call's own view of the tree. Tools that are not made from a tree hold what they need themselves. */
function toolOn(view: CallTree, tool: Tool, { binding, cwd }: TurnRun["bound"]): Tool {
  if (!isFileTool(tool)) return tool;
  return synthesizeTools(view.tree, [tool.name], binding === "host" ? cwd : undefined)[0] ?? tool;
}

function isFileTool(tool: Tool): tool is Tool & { readonly name: NativeFileToolName } {
  return tool.native && nativeFileToolNames.some((known) => known === tool.name);
}

function toolCallFor(
  run: TurnRun,
  place: StepPlace,
  action: ToolCallAction,
  view: CallTree,
  tell: (draft: EventDraft) => void,
): ToolCall {
  const { clock } = run.options.services;
  const pathOfSpilled = spillPlace(run);
  const asOf = run.asOf === undefined ? undefined : Date.parse(run.asOf);
  return {
    callId: action.callId,
    sessionId: run.sessionId,
    signal: run.signal,
    now: () => asOf ?? clock(),
    report(partial) {
      const { callId, toolName } = action;
      const result = { kind: "tool-result" as const, callId, toolName, output: partial };
      tell({ type: "action.partial", data: { ...place, result } });
    },
    served: (one) => view.observe(one),
    ...(pathOfSpilled === undefined ? {} : { spill: (text: string) => spilled(run, view, pathOfSpilled, text) }),
  };
}

/** Where a result too large to show is put: the turn's scratch, or the host's disk; a virtual tree has neither. */
function spillPlace({ bound }: TurnRun): ((uuid: string) => string) | undefined {
  if (bound.scratch !== undefined) return scratchPath;
  return bound.binding === "host" ? (uuid) => hostSpillPath(bound.cwd, uuid) : undefined;
}

async function spilled(run: TurnRun, view: CallTree, pathOf: (uuid: string) => string, text: string): Promise<string> {
  const path = pathOf(run.options.services.ids.uuid());
  await view.tree.write(path, text);
  return path;
}

function completedResult(place: StepPlace, action: ToolCallAction, output: JsonValue, more: CallFacts): EventDraft {
  const { callId, toolName } = action;
  return {
    type: "action.result",
    data: {
      ...place,
      status: "completed",
      result: { kind: "tool-result", callId, toolName, output: plainJson(output) },
      toolName,
      ...more,
    },
  };
}

/** What an author's tool hands out, as the log will give it back: no `undefined`, no dates, no classes. */
function plainJson(value: JsonValue): JsonValue {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as JsonValue);
}
