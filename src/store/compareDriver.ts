import { canonicalJson } from "../base";
import { metricsFromEvents, runExperiment, runOutcome, type PlannedRun } from "../experiment";
import { SnapshotTree } from "../fs";
import { initialSessionState, type SessionEvent } from "../session";
import { diffLines } from "../tools";
import { createReplay } from "../trajectory";
import { armEvents, armPlace, type ArmNeeds, type ArmRun } from "./compareArm";
import { finalDifference, finalFiles, type FileSides, type PairTrees } from "./compareFiles";
import { compareLines, lineShape, sameLines } from "./compareLines";
import { pairsOfRecord, runsOf, withRun } from "./comparePairs";
import { isOpen, type ArmSide, type CompareRun, type CompareState } from "./compareState";
import type { OwnedSessionLook } from "./createSessionLook";
import { isHostRuntime } from "./hostRuntime";
import { messageFromError } from "./messageFromError";
import type { CompareRecord } from "./projectDocument";
import type { FileDifference } from "./sessionDifference";
import { SessionFeed } from "./sessionFeed";
import { lockedRun } from "./sessionRun";
import type { WorkbenchCore } from "./workbenchCore";

const SIDES = ["a", "b"] as const satisfies readonly ArmSide[];

/** Milliseconds between two looks at runs that another tab carries out. */
const ELSEWHERE_POLL_MS = 3_000;

/** The vendor allows one a page. */
const CONTAINER_REFUSAL =
  "The comparison did not run: each arm needs a host of its own, and there is one WebContainer only. Choose the simulated bash in the form of the agent.";

export interface CompareDriverNeeds {
  readonly core: WorkbenchCore;
  readonly looks: { readonly [Side in ArmSide]: OwnedSessionLook };
  readonly get: () => CompareState;
  readonly set: (patch: Partial<CompareState>) => void;
}

/** Carries out comparisons and shows one pair of runs of the last one. Nothing here writes to the project's files. */
export class CompareDriver {
  readonly #needs: CompareDriverNeeds;
  /** Runs that go on here, by run id. */
  readonly #active = new Map<string, ArmRun>();
  /** Logs of the shown pair, by session id. */
  readonly #feeds = new Map<string, SessionFeed>();
  readonly #closing = new AbortController();
  #abort: AbortController | undefined;
  #start: { readonly hash: string; readonly tree: Promise<SnapshotTree> } | undefined;
  #trees: PairTrees | undefined;
  /** What the lines were made from. */
  #shape = "";
  #isPublishing = false;
  #poll: ReturnType<typeof setTimeout> | undefined;

  constructor(needs: CompareDriverNeeds) {
    this.#needs = needs;
    const { project } = needs.core;
    this.#compareInstructions();
    const stopFollowing = project.subscribe(({ compare: { last, variants } }, { compare: before }) => {
      if (variants !== before.variants) this.#compareInstructions();
      if (last === undefined || last === before.last || needs.get().status !== "idle") return;
      // Another tab has begun a comparison, or gone on with this one.
      if (!isEqual(last, needs.get().record)) void this.#restore(last);
    });
    this.#closing.signal.addEventListener("abort", stopFollowing);
  }

  dispose(): void {
    clearTimeout(this.#poll);
    this.#closing.abort();
    this.#abort?.abort();
  }

  /** Shows the project's last comparison, unless one is shown already. */
  async open(): Promise<void> {
    const { last } = this.#needs.core.project.getState().compare;
    if (last !== undefined && this.#needs.get().record === undefined) await this.#restore(last);
  }

  async run(): Promise<void> {
    const { core, set, get } = this.#needs;
    if (get().status !== "idle") return;
    const { compare, agent, model } = core.project.getState();
    const prompts = compare.prompts.map((prompt) => prompt.trim()).filter((prompt) => prompt !== "");
    if (prompts.length === 0) {
      this.#say("There is no prompt to compare the instructions on. Write one first.");
      return;
    }
    if (isHostRuntime(agent.runtime) && core.project.getState().host === "webcontainer") {
      this.#say(CONTAINER_REFUSAL);
      return;
    }
    set({ status: "running" });
    try {
      const { baseline, currentSnapshot } = core.mounts.getState();
      const tree = compare.start === "before-run" && baseline ? baseline : await currentSnapshot();
      const seed = core.services.randomSeed();
      const record: CompareRecord = {
        plan: {
          id: `comparison_${seed}`,
          variants: compare.variants.slice(0, 2),
          prompts,
          repeats: compare.repeats ?? 1,
          seed,
          concurrency: compare.concurrency ?? 2,
        },
        agent,
        model,
        mounts: core.mounts.getState().mounts.map(({ prefix, kind, readOnly }) => ({ prefix, kind, readOnly })),
        tree: await core.storage.saveSnapshot(tree),
        sessions: {},
      };
      this.#start = { hash: record.tree, tree: Promise.resolve(tree) };
      this.#feeds.clear();
      this.#keep(record);
      set({ pairs: pairsOfRecord(record) });
      await this.showPair(0);
      await this.#carryOut({ core, record, model, tree });
    } catch (error) {
      this.#say(`The comparison did not run: ${messageFromError(error)}`);
    } finally {
      set({ status: "idle" });
    }
  }

  async runRest(): Promise<void> {
    const { core, set, get } = this.#needs;
    const { record, status, pairs } = get();
    if (status !== "idle" || record?.model === undefined) return;
    const open = new Set(
      runsOf(pairs)
        .filter(isOpen)
        .map(({ planned }) => planned.id),
    );
    set({ status: "running" });
    try {
      const tree = await this.#startTree(record);
      await this.#carryOut({ core, record, model: record.model, tree }, (planned) => open.has(planned.id));
    } catch (error) {
      this.#say(`The comparison cannot go on: ${messageFromError(error)}`);
    } finally {
      set({ status: "idle" });
    }
  }

  stop(): void {
    if (this.#abort === undefined || this.#needs.get().status !== "running") return;
    this.#needs.set({ status: "stopping" });
    this.#abort.abort();
  }

  /** Resolves when what is known of the pair is shown. */
  async showPair(index: number): Promise<void> {
    const { get, set } = this.#needs;
    if (get().pairs[index] === undefined) return;
    this.#trees = undefined;
    set({ shownPair: index, files: undefined, filesProblem: undefined });
    await this.#read(index);
    this.#publish();
    await this.#compareFiles();
  }

  /** @throws UnavailableError when the contents are not kept */
  async fileDifference(path: string, sides: FileSides): Promise<FileDifference> {
    if (this.#trees === undefined) throw new Error("The trees of this pair are not known yet.");
    return finalDifference(this.#trees, path, sides);
  }

  #compareInstructions(): void {
    const [a, b] = this.#needs.core.project.getState().compare.variants;
    const lines = diffLines(a?.instructions ?? "", b?.instructions ?? "");
    this.#needs.set({
      instructions: {
        a: lines.filter(({ kind }) => kind !== "added"),
        b: lines.filter(({ kind }) => kind !== "removed"),
      },
    });
  }

  async #carryOut(needs: ArmNeeds, only: (run: PlannedRun) => boolean = () => true): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const startRun = (planned: PlannedRun, signal: AbortSignal): AsyncIterable<SessionEvent> =>
      armEvents({ ...needs, record: this.#needs.get().record ?? needs.record }, planned, signal, (run) => {
        this.#active.set(planned.id, run);
        this.#begun(planned, run);
      });
    for await (const event of runExperiment({ plan: needs.record.plan, only, startRun, signal: abort.signal })) {
      switch (event.kind) {
        case "run.started":
          this.#patch(event.run.id, { state: "running" }, ["message", "metrics"]);
          break;
        case "run.event":
          if (this.#isShown(event.run.id)) this.#publishSoon();
          break;
        case "run.failed":
          await this.#settle(event.run, event.message);
          break;
        case "run.stopped":
        case "run.settled":
          await this.#settle(event.run);
          break;
      }
    }
    this.#abort = undefined;
  }

  #begun(planned: PlannedRun, { sessionId, feed }: ArmRun): void {
    const { record } = this.#needs.get();
    if (record === undefined) return;
    this.#keep({ ...record, sessions: { ...record.sessions, [planned.id]: sessionId } });
    this.#patch(planned.id, { sessionId });
    if (this.#isShown(planned.id)) this.#feeds.set(sessionId, feed);
  }

  async #settle(planned: PlannedRun, failure?: string): Promise<void> {
    const run = this.#active.get(planned.id);
    this.#active.delete(planned.id);
    if (run === undefined || failure !== undefined)
      this.#patch(
        planned.id,
        failure === undefined ? { state: "waiting" } : { state: "environment", message: failure },
      );
    else this.#patch(planned.id, knownOf(run.feed.events));
    if (!this.#isShown(planned.id)) return;
    this.#publish();
    await this.#compareFiles();
  }

  /** Reads the logs of a pair that are not here. */
  async #read(index: number): Promise<void> {
    const pair = this.#needs.get().pairs[index];
    const feeds = new Map<string, SessionFeed>();
    for (const side of SIDES) {
      const run = pair?.[side];
      if (run?.sessionId === undefined) continue;
      feeds.set(
        run.sessionId,
        this.#active.get(run.planned.id)?.feed ?? this.#feeds.get(run.sessionId) ?? (await this.#logOf(run.sessionId)),
      );
    }
    if (this.#needs.get().shownPair !== index) return;
    this.#feeds.clear();
    for (const [sessionId, feed] of feeds) this.#feeds.set(sessionId, feed);
  }

  async #logOf(sessionId: string): Promise<SessionFeed> {
    const feed = new SessionFeed();
    await feed.addAll(this.#needs.core.storage.log(sessionId).read(), this.#closing.signal);
    return feed;
  }

  /** Shows a comparison that was made before, here or in another tab. */
  async #restore(record: CompareRecord): Promise<void> {
    const { get, set } = this.#needs;
    clearTimeout(this.#poll);
    const isSame = get().record?.plan.id === record.plan.id;
    set({ record, pairs: pairsOfRecord(record), ...(isSame ? {} : { shownPair: 0 }) });
    this.#feeds.clear();
    await this.showPair(get().shownPair);
    const runs = runsOf(get().pairs);
    for (const run of runs) {
      if (this.#closing.signal.aborted || get().status !== "idle" || get().record !== record) return;
      if (run.sessionId !== undefined) this.#patch(run.planned.id, await this.#recalled(record, run, run.sessionId));
    }
    this.#publish();
    await this.#compareFiles();
    if (runsOf(get().pairs).some(({ state }) => state === "elsewhere"))
      this.#poll = setTimeout(() => {
        if (get().status === "idle" && get().record === record) void this.#restore(record);
      }, ELSEWHERE_POLL_MS);
  }

  /** What the log of a run tells; one that was cut by a closed page is made whole first. */
  async #recalled(record: CompareRecord, run: CompareRun, sessionId: string): Promise<Partial<CompareRun>> {
    const { core } = this.#needs;
    const feed = this.#feeds.get(sessionId) ?? (await this.#logOf(sessionId));
    if (feed.events.length === 0) return { state: "gone" };
    if (feed.state.status !== "running") return knownOf(feed.events);
    try {
      const start = await this.#startTree(record);
      const tree = createReplay(feed.events, start, core.storage.blobs).treeAt(feed.events.length - 1);
      const place = armPlace({ core, record, model: { kind: "demo" }, tree }, run.planned);
      const locked = await lockedRun(core, place, sessionId, feed, () => undefined);
      if (locked === undefined) return { state: "elsewhere" };
      try {
        await locked.recover();
      } finally {
        await locked.release();
      }
      await core.storage.updateSession(sessionId, { status: feed.state.status });
    } catch (error) {
      return { state: "stopped", message: messageFromError(error) };
    }
    return knownOf(feed.events);
  }

  #startTree(record: CompareRecord): Promise<SnapshotTree> {
    if (this.#start?.hash !== record.tree)
      this.#start = { hash: record.tree, tree: this.#needs.core.storage.loadSnapshot(record.tree) };
    return this.#start.tree;
  }

  /** The final trees of the shown pair, once both of its runs have ended. */
  async #compareFiles(): Promise<void> {
    const { core, get, set } = this.#needs;
    const { record, pairs, shownPair } = get();
    const pair = pairs[shownPair];
    const feeds = SIDES.map((side) => this.#feeds.get(pair?.[side].sessionId ?? ""));
    const ended = SIDES.every((side) => pair?.[side].metrics !== undefined);
    const [a, b] = feeds;
    if (record === undefined || !ended || a === undefined || b === undefined) return;
    try {
      const start = await this.#startTree(record);
      const final = ({ events }: SessionFeed) =>
        createReplay(events, start, core.storage.blobs).treeAt(events.length - 1);
      if (get().shownPair !== shownPair || get().record?.plan.id !== record.plan.id) return;
      this.#trees = { start, a: final(a), b: final(b) };
      set({ files: finalFiles(this.#trees), filesProblem: undefined });
      this.#publish();
    } catch {
      set({ filesProblem: "The starting tree is not kept any more, so the final files cannot be compared." });
    }
  }

  #publishSoon(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    this.#needs.core.services.scheduleFrame(() => void this.#publishStored());
  }

  /** What is shown is on disk; when the disk fails, the run says so, and that is shown too. */
  async #publishStored(): Promise<void> {
    await Promise.all([...this.#active.values()].map((run) => run.durable().catch(() => undefined)));
    this.#isPublishing = false;
    this.#publish();
  }

  #publish(): void {
    const { get, set, looks } = this.#needs;
    const { pairs, shownPair, lines } = get();
    let shape = "";
    const [a, b] = SIDES.map((side) => {
      const feed = this.#feeds.get(pairs[shownPair]?.[side].sessionId ?? "");
      const session = feed?.state ?? initialSessionState;
      looks[side].show({ session, events: feed?.events ?? noEvents, tree: this.#trees?.[side] ?? SnapshotTree.empty });
      shape += `${feed === undefined ? "" : pairs[shownPair]?.[side].sessionId} ${lineShape(session)}\n`;
      return session;
    });
    if (shape === this.#shape || a === undefined || b === undefined) return;
    this.#shape = shape;
    set({ lines: sameLines(lines, compareLines(a, b)) });
  }

  #isShown(runId: string): boolean {
    const { pairs, shownPair } = this.#needs.get();
    return SIDES.some((side) => pairs[shownPair]?.[side].planned.id === runId);
  }

  #patch(runId: string, patch: Partial<CompareRun>, without: readonly (keyof CompareRun)[] = []): void {
    const { get, set } = this.#needs;
    const forgotten = Object.fromEntries(without.map((key) => [key, undefined]));
    set({ pairs: withRun(get().pairs, runId, { ...forgotten, ...patch }) });
  }

  #keep(record: CompareRecord): void {
    this.#needs.set({ record });
    this.#needs.core.project.getState().changeCompare({ last: record });
  }

  #say(text: string): void {
    this.#needs.core.notices.getState().push({ tone: "bad", text });
  }
}

function isEqual(last: CompareRecord, record: CompareRecord | undefined): boolean {
  const text = (value: CompareRecord) => canonicalJson(value);
  return last === record || (record !== undefined && text(last) === text(record));
}

const noEvents: readonly SessionEvent[] = [];

function knownOf(events: readonly SessionEvent[]): Partial<CompareRun> {
  const { outcome, message } = runOutcome(events);
  return { state: outcome, metrics: metricsFromEvents(events), ...(message === undefined ? {} : { message }) };
}
