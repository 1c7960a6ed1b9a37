import { limits, nextTask, systemClock } from "../../base";
import {
  forkFs,
  isVersionId,
  PathError,
  treeFs,
  type EditableFileSystem,
  type SnapshotTree,
  type TreeEngine,
  type VersionedTree,
} from "../../fs";
import type { EventData, FileChange, SessionEvent } from "../../session";
import { normalizeToolInput } from "../../tools";
import type { BlobReader } from "../createReplay";
import { inlinedValue } from "../inlinedValues";
import { soundEvents } from "../soundEvents";
import type { CallRunner, ReexecutionShell, RunOutcome } from "./callRunner";
import {
  divergenceReport,
  isDivergence,
  type DeclaredNormaliser,
  type DivergencePolicy,
  type DivergenceReport,
  type ReexecutedCall,
  type ReportedStart,
} from "./divergenceReport";
import { CommandDoubt } from "./commandDoubt";
import { evidenceChanges, withEvidence } from "./evidenceFiles";
import { foreignOperation } from "./foreign/foreignOperation";
import { foreignRunner } from "./foreign/foreignRunner";
import { placedPath, type Placement } from "./foreign/placement";
import { foreignNormalisers } from "./foreign/recordedReading";
import type { InferredTree } from "./inferStartTree";
import { judged, subjectOf, type Verdict } from "./judgeCall";
import { defaultNormalisers, lineEndings, rootPath, type Normaliser } from "./normalisers";
import { ownRunner, type BindForReexecution } from "./ownRunner";
import {
  isForeignLog,
  recordedItems,
  recordedPlacement,
  type RecordedCall,
  type RecordedChange,
} from "./recordedCalls";
import { RootCauses } from "./rootCauses";

/** The tree the calls run on: the recording's own, that of today's mounts, or one inferred from the recording. */
export type ReexecutionStart =
  | { readonly kind: "snapshot" | "mounts"; readonly tree: SnapshotTree }
  | { readonly kind: "inferred"; readonly inferred: InferredTree };

export interface ReexecuteOptions {
  readonly events: readonly SessionEvent[];
  /** Nothing is written to it: calls run on a fork. */
  readonly start: ReexecutionStart;
  /** What goes on after a divergence; `recorded` where absent. */
  readonly policy?: DivergencePolicy;
  /** Contents the log names: large results, what people and calls left behind. What is not there cannot be put back. */
  readonly blobs?: BlobReader;
  /** The recorded agent with its own tools; without it the file tools of ours run that the recording names. */
  readonly bind?: BindForReexecution;
  /** Where paths of another program's recording lie on the tree; as they are where absent. */
  readonly placement?: Placement;
  /** Runs commands that surely only read; without it no command runs. */
  readonly shell?: ReexecutionShell;
  /** Beside the declared ones of every tool. */
  readonly normalisers?: readonly Normaliser[];
  readonly engine?: TreeEngine;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Told the tree as the last call has left it, before the report is returned. Must not throw. */
  readonly onTree?: (tree: SnapshotTree) => void;
}

/**
 * Runs every recorded call again on a fork of a tree and compares what it comes to (docs/trajectory.md, section 5). Yields
 * each call as it is judged and returns the report over all of them. A person's answers are replayed as recorded; what
 * acts outside of the tree is not run, and its recorded result stands. Never throws for what a call does; a stop ends it
 * with the calls so far.
 *
 * @throws DiscoveryError when `bind` refuses the agent
 */
export async function* reexecute(
  options: ReexecuteOptions,
): AsyncGenerator<ReexecutedCall, DivergenceReport, undefined> {
  const run = new Reexecution({ ...options, events: soundEvents(options.events) });
  for await (const call of run.calls()) yield call;
  return await run.report();
}

/** The report alone. */
export async function reexecutionReport(options: ReexecuteOptions): Promise<DivergenceReport> {
  const calls = reexecute(options);
  for (;;) {
    const next = await calls.next();
    if (next.done === true) return next.value;
  }
}

class Reexecution {
  readonly #options: ReexecuteOptions;
  readonly #start: SnapshotTree;
  readonly #tree: EditableFileSystem & VersionedTree;
  readonly #runner: CallRunner;
  readonly #placement: Placement;
  readonly #normalisers: readonly Normaliser[];
  readonly #isForeign: boolean;
  readonly #signal: AbortSignal;
  readonly #policy: DivergencePolicy;
  readonly #causes = new RootCauses();
  readonly #done: ReexecutedCall[] = [];
  /** Paths whose contents cannot be told any more, with the reason. */
  readonly #lost = new Map<string, string>();
  readonly #doubt: CommandDoubt;
  #nowMs = 0;
  #stoppedAt: number | undefined;

  constructor(options: ReexecuteOptions) {
    const { start, events, blobs: _blobs, engine } = options;
    this.#options = options;
    this.#policy = options.policy ?? "recorded";
    this.#signal = options.signal ?? new AbortController().signal;
    this.#start = start.kind === "inferred" ? start.inferred.tree : start.tree;
    const treeOptions = { now: () => this.#nowMs, ...(engine === undefined ? {} : { engine }) };
    this.#tree = forkFs(treeFs(this.#start, treeOptions), treeOptions);
    this.#placement = options.placement ?? recordedPlacement(events);
    this.#isForeign = isForeignLog(events);
    this.#doubt = new CommandDoubt(start.kind === "inferred");
    this.#normalisers = normalisersOf(options, this.#placement);
    this.#runner = runnerFor(options, this.#tree, this.#placement, this.#isForeign);
  }

  async *calls(): AsyncGenerator<ReexecutedCall, void, undefined> {
    const items = recordedItems(this.#options.events);
    const total = items.filter(({ kind }) => kind === "call").length;
    let slice = systemClock();
    for (const item of items) {
      // Trees in memory answer at once: without a pause nothing else on this thread would get a turn.
      if (systemClock() - slice > limits.workSliceMs) {
        await nextTask();
        slice = systemClock();
      }
      if (this.#signal.aborted) return;
      if (item.kind === "turn") this.#runner.beginTurn();
      else if (item.kind === "change") await this.#change(item);
      else {
        const call = await this.#call(item);
        if (call === undefined) return;
        this.#done.push(call);
        yield call;
        this.#options.onProgress?.({ done: this.#done.length, total });
      }
    }
  }

  async report(): Promise<DivergenceReport> {
    const { start, events, onTree } = this.#options;
    onTree?.(await this.#tree.snapshot());
    const rootHash = await this.#start.rootHash();
    const reported: ReportedStart = {
      kind: start.kind,
      rootHash,
      ...(start.kind === "inferred" ? { inferred: start.inferred.files } : {}),
    };
    const declared: DeclaredNormaliser[] = [
      ...this.#normalisers.map(({ name, about, tools }) => ({
        name,
        about,
        ...(tools === undefined ? {} : { tools }),
      })),
      ...(this.#isForeign ? foreignNormalisers : []),
    ];
    const outcome = this.#stoppedAt !== undefined ? "stopped" : this.#signal.aborted ? "cancelled" : "completed";
    const head = {
      sessionId: sessionIdOf(events),
      start: reported,
      policy: this.#policy,
      outcome,
      normalisers: declared,
    } as const;
    return divergenceReport(head, this.#done);
  }

  async #call(item: RecordedCall): Promise<ReexecutedCall | undefined> {
    const { action, taskCallId } = item;
    const number = this.#done.length + 1;
    const at = Date.parse(item.at);
    if (!Number.isNaN(at)) this.#nowMs = at;
    const found = await this.#verdict(item);
    if (found === undefined) return undefined;
    const verdict = this.#isForeign ? this.#doubt.weighed(number, item, found, this.#pathsOf(item)) : found;
    const call: ReexecutedCall = {
      number,
      callId: action.callId,
      toolName: action.toolName,
      subject: subjectOf(action.toolName, item.input, action.inputText),
      turnId: item.turnId,
      stepIndex: item.stepIndex,
      eventIndex: item.eventIndex,
      ...(taskCallId === undefined ? {} : { taskCallId }),
      ...(item.answered === undefined ? {} : { answered: item.answered }),
      ...verdict,
    };
    const isOff = isDivergence(call);
    const cause = isOff
      ? (this.#taskCause(item) ?? this.#causes.add(call, this.#pathsOf(item), isSearch(action.toolName)))
      : undefined;
    if (isOff && this.#policy === "stop") this.#stoppedAt ??= number;
    const stands = call.class === "not run" || (this.#policy === "recorded" && call.class !== "equal");
    if (stands && item.isTask !== true) await this.#putRecorded(this.#recordedChanges(item));
    return cause === undefined ? call : { ...call, followsFrom: cause };
  }

  /** What a call comes to; `undefined` when a person stopped it. */
  async #verdict(item: RecordedCall): Promise<Verdict | undefined> {
    const { result, action } = item;
    if (this.#stoppedAt !== undefined)
      return { class: "not run", why: `The re-execution stopped at the divergence of call ${this.#stoppedAt}.` };
    const given = givenVerdict(item);
    if (given !== undefined) return given;
    if (item.isTask === true) return this.#taskVerdict(item);
    const lost = this.#pathsOf(item).find((path) => this.#lost.has(path));
    if (lost !== undefined) return { class: "not comparable", why: this.#lost.get(lost) ?? "" };
    const output = result === undefined ? undefined : await inlinedValue(result.result.output, this.#options.blobs);
    const recorded: EventData["action.result"] | undefined =
      result === undefined || output === undefined ? undefined : { ...result, result: { ...result.result, output } };
    let outcome: RunOutcome;
    try {
      // A signal of the call's own: what listens to it goes with the call.
      const signal = AbortSignal.any([this.#signal]);
      outcome = await this.#runner.run({ ...item, ...(recorded === undefined ? {} : { result: recorded }) }, signal);
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      if (error instanceof Error && error.name === "DiscoveryError") throw error;
      outcome = {
        kind: "not run",
        why: `${action.toolName} could not be run here: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
    if (this.#signal.aborted) return undefined;
    const verdict = judged(item, recorded, outcome, this.#normalisers);
    // A tool of ours has compared the files itself.
    if (outcome.kind !== "reading") return verdict;
    const tree = await this.#tree.snapshot();
    return await withEvidence(verdict, this.#recordedChanges(item), tree, this.#options.blobs);
  }

  #recordedChanges({ result }: RecordedCall): readonly FileChange[] {
    return result?.changes ?? evidenceChanges(result, this.#placement);
  }

  /** A subagent's words are recorded ones: it diverges exactly where a call of it has. */
  #taskVerdict(item: RecordedCall): Verdict {
    const first = this.#taskCause(item);
    if (first === undefined) return { class: "equal" };
    return { class: "differs", difference: { path: "task", actual: `call ${first} of the subagent diverged` } };
  }

  #taskCause(item: RecordedCall): number | undefined {
    if (item.isTask !== true) return undefined;
    const { callId } = item.action;
    return this.#done.find((call) => call.taskCallId === callId && isDivergence(call))?.number;
  }

  /** The paths of the tree a call is about; none for one that names none. */
  #pathsOf({ action, input }: RecordedCall): string[] {
    const operation = foreignOperation(action.toolName, normalizeToolInput(action.toolName, input), action.inputText);
    if (operation === undefined) return [];
    if (operation.kind === "patch")
      return [...operation.text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].flatMap(([, path = ""]) =>
        this.#placed(path),
      );
    if (operation.kind === "shell") return this.#placed(operation.cwd ?? ".");
    return this.#placed(operation.path ?? (this.#isForeign ? "." : "/"));
  }

  #placed(path: string): string[] {
    const placed = placedPath(this.#placement, path);
    return placed === undefined ? [] : [placed];
  }

  async #change(item: RecordedChange): Promise<void> {
    const at = Date.parse(item.at);
    if (!Number.isNaN(at)) this.#nowMs = at;
    await this.#putRecorded(item.changes);
  }

  /** Puts files into the state the recording says they had; what it does not hold is lost from here on. */
  async #putRecorded(changes: readonly FileChange[]): Promise<void> {
    const snapshot = await this.#tree.snapshot();
    for (const { path, after } of changes) {
      if (snapshot.file(path)?.hash === after) continue;
      try {
        const bytes = after === undefined || isVersionId(after) ? undefined : await this.#options.blobs?.get(after);
        if (after === undefined) await this.#tree.delete(path);
        else if (bytes === undefined)
          this.#lost.set(path, `What the recording left in ${path} is not kept; what it holds here is something else.`);
        else await this.#tree.write(path, bytes);
        if (after === undefined || bytes !== undefined) this.#lost.delete(path);
      } catch (error) {
        // A file that is gone here already, or a path that is something else here: the calls on it will tell.
        if (!(error instanceof PathError)) throw error;
      }
    }
  }
}

/** Results that come from a person or from a stop, not from a tool: they are replayed, nothing runs. */
function givenVerdict({ result, answered }: RecordedCall): Verdict | undefined {
  if (result === undefined) return { class: "not comparable", why: "The recording holds no result of this call." };
  if (result.status === "rejected" || (answered === "denied" && result.status === "failed")) return { class: "equal" };
  const code = result.error?.code;
  if (code === "interrupted" || code === "host-lost" || code === "task-lost")
    return { class: "not run", why: "The call was cut off in the recording; how far it came is not known." };
  return undefined;
}

const SEARCHES: ReadonlySet<string> = new Set(["glob", "list", "grep", "shell"]);

function isSearch(toolName: string): boolean {
  const kind = foreignOperation(toolName, { pattern: "", path: "", command: "x" })?.kind;
  return toolName === "SemanticSearch" || (kind !== undefined && SEARCHES.has(kind));
}

function runnerFor(
  options: ReexecuteOptions,
  tree: EditableFileSystem & VersionedTree,
  placement: Placement,
  isForeign: boolean,
): CallRunner {
  const { start, events, bind, shell } = options;
  const absent = start.kind === "inferred" ? { absent: start.inferred.absent } : {};
  const withShell = shell === undefined ? {} : { shell };
  // An inferred tree answers by what is known of it, which only the readings of results can tell.
  if (isForeign || start.kind === "inferred") return foreignRunner({ tree, placement, ...absent, ...withShell });
  return ownRunner({ tree, events, ...(bind === undefined ? {} : { bind }), ...withShell });
}

function normalisersOf(options: ReexecuteOptions, { root }: Placement): Normaliser[] {
  const moved = root === undefined || root.recorded === root.here ? [] : [rootPath(root.recorded, root.here)];
  return [
    ...moved,
    ...defaultNormalisers,
    ...(isForeignLog(options.events) ? [lineEndings] : []),
    ...(options.normalisers ?? []),
  ];
}

function sessionIdOf(events: readonly SessionEvent[]): string {
  for (const event of events) {
    if (event.type === "session.started" && event.data.playground !== undefined) return event.data.playground.sessionId;
    if (event.type === "import.source") return event.data.session.id;
  }
  return "";
}
