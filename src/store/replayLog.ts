import { limits, nextTask } from "../base";
import type { SnapshotTree } from "../fs";
import { reduceSession, initialSessionState, type EventData, type SessionEvent } from "../session";
import type { ProjectStore, SessionLog } from "../storage";
import { createReplay, recordedChanges, ReplayIndex, type Replay } from "../trajectory";
import { directoriesAbove } from "./directoriesAbove";
import { ReplayOutline } from "./replayOutline";

export interface ReplayLogNeeds {
  readonly log: SessionLog;
  readonly blobs: ProjectStore["blobs"];
  /** The tree the session began with, or one to begin with where it is not here. */
  readonly startOf: (started: EventData["session.started"] | undefined) => Promise<SnapshotTree>;
  readonly signal: AbortSignal;
}

/** What is known of all of a log. */
interface Known {
  readonly index: ReplayIndex;
  readonly outline: ReplayOutline;
  /** Directories in which something changed. */
  readonly changed: Set<string>;
}

/** A stretch of a long log that is ready to be shown. */
interface View {
  readonly replay: Replay;
  /** Which stretches of the index it is; absent before the index knows. */
  readonly segments?: { readonly first: number; readonly last: number };
}

/**
 * The log of a session that is looked at. A usual one is held whole. Of a long one the end is there first; then all of it is
 * gone through once, and from then on any stretch can be read and folded, a few of which are held.
 */
export class ReplayLog {
  readonly eventCount: number;
  readonly started: EventData["session.started"] | undefined;
  readonly start: SnapshotTree;
  readonly #needs: ReplayLogNeeds;
  readonly #known: Known;
  /** Of a usual log, all of it. */
  readonly #whole: Replay | undefined;
  readonly #head: readonly SessionEvent[];
  readonly #segments = new Map<number, readonly SessionEvent[]>();
  #view: View | undefined;
  #isIndexed: boolean;
  #sliceEnd = performance.now() + limits.workSliceMs;
  /** How many stretches before the one that is looked at are shown with it. */
  #earlier = 1;

  private constructor(
    needs: ReplayLogNeeds,
    facts: { readonly eventCount: number; readonly head: readonly SessionEvent[]; readonly start: SnapshotTree },
    whole?: Replay,
  ) {
    this.#needs = needs;
    this.eventCount = facts.eventCount;
    this.start = facts.start;
    this.started = startedIn(facts.head);
    this.#head = facts.head;
    this.#known = {
      index: new ReplayIndex(facts.start, needs.blobs),
      outline: new ReplayOutline(),
      changed: new Set(),
    };
    this.#whole = whole;
    this.#isIndexed = whole !== undefined;
  }

  /**
   * Resolves when the end of the log can be shown. @throws Error when there is none · what the signal was aborted with
   */
  static async open(needs: ReplayLogNeeds, progress: (events: number) => void): Promise<ReplayLog> {
    const eventCount = await needs.log.length();
    if (eventCount === 0) throw new Error("The session has no events: it may have been deleted.");
    const events = eventCount <= limits.replayWholeEvents ? await wholeLog(needs, progress) : undefined;
    if (events !== undefined) {
      const start = await needs.startOf(startedIn(events));
      needs.signal.throwIfAborted();
      const whole = createReplay(events, start, needs.blobs);
      const log = new ReplayLog(needs, { eventCount: events.length, head: events, start }, whole);
      await log.#knowAll(events, 0, progress);
      await log.#foldUpTo(whole, whole.eventCount - 1);
      return log;
    }
    const head = await eventsBetween(needs, 0, HEAD_EVENTS);
    const start = await needs.startOf(startedIn(head));
    const log = new ReplayLog(needs, { eventCount, head, start });
    await log.prepare(eventCount - 1);
    needs.signal.throwIfAborted();
    return log;
  }

  /** Whether all of it was gone through: before, the end is known and what was read. */
  get isIndexed(): boolean {
    return this.#isIndexed;
  }

  get index(): ReplayIndex {
    return this.#known.index;
  }

  get outline(): ReplayOutline {
    return this.#known.outline;
  }

  get changedDirectories(): ReadonlySet<string> {
    return this.#known.changed;
  }

  /** Milliseconds from the first event to one that is at hand: what the index says, as far as it goes. */
  elapsedMs(index: number, event: SessionEvent | undefined): number {
    const known = this.index.times[index];
    if (known !== undefined || index < 0) return known ?? 0;
    const passed = Date.parse(event?.meta.at ?? "") - Date.parse(this.#head[0]?.meta.at ?? "");
    return Number.isNaN(passed) ? 0 : Math.max(0, passed);
  }

  /** Goes through all of a long log, in slices between which the page goes on. @throws what the signal was aborted with */
  async readOn(progress: (events: number) => void): Promise<void> {
    if (this.#isIndexed) return;
    for await (const { events, characters } of this.#needs.log.readPages(0, { withoutLarge: true })) {
      this.#needs.signal.throwIfAborted();
      const left = this.eventCount - this.index.eventCount;
      await this.#knowAll(events.slice(0, left), characters / events.length, progress);
    }
    this.#isIndexed = true;
  }

  /** What can be shown of a place at once; perhaps with less before it than there will be. */
  viewAt(index: number): Replay | undefined {
    if (this.#whole !== undefined) return this.#whole;
    const { replay } = this.#view ?? {};
    return replay !== undefined && index >= replay.from - 1 && index < replay.eventCount ? replay : undefined;
  }

  /** Whether nothing more is to be read for a place. */
  isReady(index: number): boolean {
    if (this.#whole !== undefined) return true;
    const wanted = this.#segmentsFor(index);
    const { segments } = this.#view ?? {};
    if (wanted === undefined) return this.viewAt(index) !== undefined;
    return segments?.first === wanted.first && segments.last === wanted.last;
  }

  /** Reads what is to be shown of a place. @throws UnavailableError · what the signal was aborted with */
  async prepare(index: number): Promise<void> {
    const segments = this.#segmentsFor(index);
    const replay =
      segments === undefined ? await this.#unplacedView(index) : await this.#segmentView(segments.first, segments.last);
    await this.#foldUpTo(replay, Math.min(index, replay.eventCount - 1));
    this.#view = { replay, ...(segments && { segments }) };
  }

  /** More before the place that is shown; answers whether there is. */
  showEarlier(): boolean {
    const { segments } = this.#view ?? {};
    if (segments === undefined || segments.first === 0 || this.#earlier >= limits.replayHeldSegments - 2) return false;
    this.#earlier++;
    return true;
  }

  /** Whether two places are in the same stretch; then what was shown earlier stays. */
  moved(from: number, to: number): void {
    if (this.index.segmentOf(from) !== this.index.segmentOf(to)) this.#earlier = 1;
  }

  async #knowAll(events: readonly SessionEvent[], characters: number, progress: (events: number) => void) {
    for (const event of events) {
      this.#know(event, characters);
      if (performance.now() < this.#sliceEnd) continue;
      progress(this.index.eventCount);
      await nextTask();
      this.#needs.signal.throwIfAborted();
      this.#sliceEnd = performance.now() + limits.workSliceMs;
    }
  }

  #know(event: SessionEvent, characters: number): void {
    const { index, outline, changed } = this.#known;
    outline.add(event, index.eventCount);
    index.add(event, characters);
    for (const path of changedPaths(event)) for (const above of directoriesAbove(path)) changed.add(above);
  }

  /** The stretches to be shown for a place; `undefined` while the index does not reach past it. */
  #segmentsFor(index: number): { readonly first: number; readonly last: number } | undefined {
    const last = this.index.segmentOf(Math.max(0, index));
    const isClosed = this.#isIndexed || last < this.index.segmentCount - 1;
    return isClosed ? { first: Math.max(0, last - this.#earlier), last } : undefined;
  }

  async #segmentView(first: number, last: number): Promise<Replay> {
    const base = this.index.segment(first);
    if (base === undefined) throw new Error("There is no such stretch of the log.");
    const events: SessionEvent[] = [];
    for (let number = first; number <= last; number++) events.push(...(await this.#segment(number)));
    return createReplay(events, base.tree, this.#needs.blobs, base);
  }

  async #segment(number: number): Promise<readonly SessionEvent[]> {
    const held = this.#segments.get(number);
    const from = this.index.segment(number)?.from ?? 0;
    const to = this.index.segment(number + 1)?.from ?? this.eventCount;
    const events = held ?? (await eventsBetween(this.#needs, from, to));
    // The one asked for last is the last to go.
    this.#segments.delete(number);
    this.#segments.set(number, events);
    for (const oldest of this.#segments.keys()) {
      if (this.#segments.size <= limits.replayHeldSegments) break;
      this.#segments.delete(oldest);
    }
    return events;
  }

  /** A stretch the index has not come to: its sums begin with it, and its tree with the session's. */
  async #unplacedView(index: number): Promise<Replay> {
    const from = Math.max(0, Math.min(index + 1, this.eventCount) - limits.replayTailEvents);
    const events = await eventsBetween(this.#needs, from, index + 1);
    // Rows of a turn or a step whose beginning is not here would hang in the air.
    const begins = events.findIndex(({ type }) => type === "turn.started" || type === "step.started");
    const skipped = Math.max(0, begins);
    let state = initialSessionState;
    for (const [at, event] of this.#head.entries()) if (at < from) state = reduceSession(state, event, at);
    const base = { from: from + skipped, state: { ...state, eventCount: from + skipped } };
    return createReplay(events.slice(skipped), this.start, this.#needs.blobs, base);
  }

  /** The states are kept as they are folded: what is asked for then is there. */
  async #foldUpTo(replay: Replay, index: number): Promise<void> {
    let sliceEnd = performance.now() + limits.workSliceMs;
    for (let next = replay.from; next <= index; next += FOLDED_AT_ONCE) {
      replay.stateAt(Math.min(next, index));
      if (performance.now() < sliceEnd) continue;
      await nextTask();
      this.#needs.signal.throwIfAborted();
      sliceEnd = performance.now() + limits.workSliceMs;
    }
  }
}

/** Events at the beginning that say what session it is. */
const HEAD_EVENTS = 3;
/** Events folded before it is looked whether the page should have a turn. */
const FOLDED_AT_ONCE = 64;

/** All events of a log; `undefined` when they turn out to be too much to be held. */
async function wholeLog(
  { log, signal }: ReplayLogNeeds,
  progress: (events: number) => void,
): Promise<SessionEvent[] | undefined> {
  const all: SessionEvent[] = [];
  let held = 0;
  let sliceEnd = performance.now() + limits.workSliceMs;
  for await (const { events, characters } of log.readPages()) {
    signal.throwIfAborted();
    held += characters;
    if (held > limits.replayWholeCharacters) return undefined;
    all.push(...events);
    if (performance.now() < sliceEnd) continue;
    progress(all.length);
    await nextTask();
    sliceEnd = performance.now() + limits.workSliceMs;
  }
  return all;
}

async function eventsBetween({ log, signal }: ReplayLogNeeds, from: number, to: number): Promise<SessionEvent[]> {
  const found: SessionEvent[] = [];
  for await (const { events } of log.readPages(from)) {
    signal.throwIfAborted();
    found.push(...events);
    if (found.length >= to - from) break;
    await nextTask();
  }
  return found.slice(0, to - from);
}

function startedIn(events: readonly SessionEvent[]): EventData["session.started"] | undefined {
  for (const event of events) if (event.type === "session.started") return event.data;
  return undefined;
}

/** Files an event changed. */
export function changedPaths(event: SessionEvent | undefined): readonly string[] {
  return recordedChanges(event).map(({ path }) => path);
}
