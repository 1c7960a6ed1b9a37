import { limits } from "../base";
import type { SnapshotTree } from "../fs";
import { carriedState, initialSessionState, reduceSession, type SessionEvent, type SessionState } from "../session";
import { treeAfter, type BlobReader } from "./createReplay";

/** Where the fold of a long log can go on: before the event at `from`. Rows that were over by then are not in its state. */
export interface ReplayCheckpoint {
  readonly from: number;
  readonly state: SessionState;
  readonly tree: SnapshotTree;
}

/**
 * What is kept of a log too long to be held: when each event happened, where steps begin and files change, and checkpoints
 * from which any stretch of it can be folded. It is fed the events in order, as far as they were read.
 */
export class ReplayIndex {
  readonly stepIndexes: number[] = [];
  readonly changeIndexes: number[] = [];
  readonly #blobs: BlobReader;
  readonly #checkpoints: ReplayCheckpoint[];
  #times = new Float64Array(limits.replaySegmentEvents);
  #eventCount = 0;
  #state: SessionState = initialSessionState;
  #tree: SnapshotTree;
  #firstAt: number | undefined;
  #lastMs = 0;
  #segmentCharacters = 0;

  constructor(start: SnapshotTree, blobs: BlobReader) {
    this.#tree = start;
    this.#blobs = blobs;
    this.#checkpoints = [{ from: 0, state: initialSessionState, tree: start }];
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  /** Milliseconds from the first event to each that was added; times that run backwards or are not told stand still. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.#eventCount);
  }

  /** @param characters how long the event is as a line, about */
  add(event: SessionEvent, characters: number): void {
    const index = this.#eventCount;
    const segment = this.#checkpoints.at(-1);
    if (
      index - (segment?.from ?? 0) >= limits.replaySegmentEvents ||
      this.#segmentCharacters >= limits.replaySegmentCharacters
    ) {
      this.#state = carriedState(this.#state);
      this.#checkpoints.push({ from: index, state: this.#state, tree: this.#tree });
      this.#segmentCharacters = 0;
    }
    this.#segmentCharacters += characters;
    this.#state = reduceSession(this.#state, event, index);
    if (event.type === "step.started") this.stepIndexes.push(index);
    const changed = treeAfter(this.#tree, event, this.#blobs);
    if (changed !== undefined) {
      this.#tree = changed;
      this.changeIndexes.push(index);
    }
    this.#addTime(event);
    this.#eventCount++;
  }

  /** The stretches the log is in, as far as it was added: each ends where the next begins. */
  get segmentCount(): number {
    return this.#checkpoints.length;
  }

  segment(number: number): ReplayCheckpoint | undefined {
    return this.#checkpoints[number];
  }

  /** The number of the stretch an event lies in. */
  segmentOf(index: number): number {
    let low = 0;
    let high = this.#checkpoints.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#checkpoints[middle]?.from ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #addTime({ meta }: SessionEvent): void {
    if (this.#eventCount === this.#times.length) {
      const longer = new Float64Array(this.#times.length * 2);
      longer.set(this.#times);
      this.#times = longer;
    }
    const at = meta?.time === "missing" ? Number.NaN : Date.parse(meta?.at ?? "");
    if (!Number.isNaN(at)) {
      this.#firstAt ??= at;
      this.#lastMs = Math.max(this.#lastMs, at - this.#firstAt);
    }
    this.#times[this.#eventCount] = this.#lastMs;
  }
}
