import type { GrepQuery, GrepResult } from "../fileSystem";
import { resultCap } from "../resultCap";
import type { SnapshotTree } from "../snapshotTree";
import type { EngineSlot } from "./engineSlot";
import { HitStream } from "./hitStream";
import type { HitReader } from "./packedHits";

type Step = IteratorResult<GrepResult, undefined>;

/** The file whose hits are being read. */
interface FileAtHand {
  readonly path: string;
  readonly reader: HitReader;
}

const DONE: Step = { done: true, value: undefined };

/**
 * The hits of several workers in the order of their paths. A file is in one worker only, so a hit may go as soon as all
 * others have got past its path. An iterator by hand: tens of thousands of hits are not worth three microtasks each.
 */
export class MergedHits implements AsyncIterator<GrepResult, undefined> {
  readonly #start: (changed: () => void) => HitStream[];
  #streams: readonly HitStream[] | undefined;
  #left: number;
  #file: FileAtHand | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;
  #waiting: Promise<Step> | undefined;

  constructor(slots: readonly EngineSlot[], tree: SnapshotTree, query: GrepQuery) {
    this.#left = resultCap(query.maxResults);
    this.#start = (changed) =>
      slots.map((slot, part) => new HitStream(slot, { tree, query, part, parts: slots.length }, changed));
  }

  next(): Promise<Step> {
    const before = this.#waiting;
    const result = before === undefined ? this.#take() : undefined;
    if (result !== undefined) return Promise.resolve({ done: false, value: result });
    const pull = () => this.#pull();
    const waiting = before === undefined ? pull() : before.then(pull, pull);
    const clear = () => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
    this.#waiting = waiting;
    waiting.then(clear, clear);
    return waiting;
  }

  return(): Promise<Step> {
    this.#end();
    return Promise.resolve(DONE);
  }

  async #pull(): Promise<Step> {
    this.#streams ??= this.#start(() => this.#wake?.());
    for (;;) {
      const result = this.#take();
      if (result !== undefined) return { done: false, value: result };
      if (this.#isOver) return DONE;
      const error = this.#streams.find((stream) => stream.error !== undefined)?.error;
      if (error !== undefined) {
        this.#end();
        throw error;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The next hit, if it is certain already. */
  #take(): GrepResult | undefined {
    if (this.#isOver || this.#streams === undefined) return undefined;
    let file = this.#file;
    if (file === undefined || file.reader.path !== file.path) file = this.#file = this.#nextFile();
    if (file === undefined) return undefined;
    this.#left--;
    const result = file.reader.next(file.path);
    if (this.#left <= 0) this.#end();
    return result;
  }

  #nextFile(): FileAtHand | undefined {
    const streams = this.#streams ?? [];
    let first: HitReader | undefined;
    for (const { reader } of streams) {
      if (reader?.path !== undefined && (first?.path === undefined || reader.path < first.path)) first = reader;
    }
    if (first?.path === undefined) {
      if (streams.every((stream) => stream.isDone)) this.#end();
      return undefined;
    }
    const { path } = first;
    const isCertain = streams.every(
      (stream) => stream.reader !== undefined || stream.isDone || stream.searchedTo > path,
    );
    return isCertain ? { path, reader: first } : undefined;
  }

  #end(): void {
    this.#isOver = true;
    for (const stream of this.#streams ?? []) stream.close();
    this.#wake?.();
  }
}
