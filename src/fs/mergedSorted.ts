import { itemNow } from "./lazyIterable";
import { resultCap } from "./resultCap";

/** One ordered source of a merge. */
export interface MergeSource<T> {
  /** Nothing the source yields comes before this, so it is not opened until the merge has come so far. */
  readonly floor?: T;
  /** Everything the source yields comes before this: as long as nobody else's turn does, nothing need be compared. */
  readonly ceiling?: T;
  open(): AsyncIterator<T>;
  /** What becomes of an item: another one in its place, or `undefined` to pass it over. */
  readonly accept?: (item: T) => T | undefined;
  /** What becomes of an error of the source. */
  readonly explain?: (error: unknown) => unknown;
}

export interface MergeOptions {
  /** An item that is equal to the one before, of another source, is passed over. */
  readonly unique?: boolean;
  /** The most items to yield. */
  readonly limit?: number | undefined;
}

/**
 * Ordered sources merged into one order, lazily; all are closed when the merge is left, has ended or has failed. On equal
 * items an earlier source comes first. To be asked for one item at a time, as `for await` does; calls that come earlier
 * wait their turn.
 */
export function mergedSorted<T>(
  sources: readonly MergeSource<T>[],
  compare: (a: T, b: T) => number,
  options: MergeOptions = {},
): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new SortedMerge(sources, compare, options) };
}

interface Head<T> {
  readonly source: MergeSource<T>;
  readonly order: number;
  iterator: AsyncIterator<T> | undefined;
  /** The next item, or the floor of a source that is not open; `undefined` when the next must be asked for. */
  item: T | undefined;
}

type Step<T> = IteratorResult<T, undefined>;

/**
 * Written by hand, and synchronous as far as its sources are, because every list of a union goes through it. Inside,
 * `undefined` for a step means that the source has to be asked again.
 */
class SortedMerge<T> implements AsyncIterator<T, undefined> {
  readonly #compare: (a: T, b: T) => number;
  readonly #isUnique: boolean;
  #heads: Head<T>[];
  /** The source whose run it is, and the one whose turn comes next. */
  #running: Head<T> | undefined;
  #waiting: Head<T> | undefined;
  /** Whether the running source ends before the waiting one's turn comes. */
  #isAlone = false;
  #previous: T | undefined;
  #left: number;
  #isBusy = false;
  #isDone = false;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(sources: readonly MergeSource<T>[], compare: (a: T, b: T) => number, options: MergeOptions) {
    this.#compare = compare;
    this.#isUnique = options.unique ?? false;
    this.#left = resultCap(options.limit);
    this.#heads = sources.map((source, order) => ({ source, order, iterator: undefined, item: source.floor }));
  }

  next(): Promise<Step<T>> {
    if (this.#isBusy) {
      const again = () => this.next();
      const later = this.#latest.then(again, again);
      this.#latest = later;
      return later;
    }
    if (this.#isDone || this.#left <= 0) return this.return();
    this.#isBusy = true;
    const step = Promise.resolve(this.#running === undefined ? this.#chosen() : this.#pulled(this.#running));
    this.#latest = step;
    return step;
  }

  async return(): Promise<Step<T>> {
    await this.#close();
    return { done: true, value: undefined };
  }

  /** The next step from one source: at once as long as it has items at hand. */
  #pulled(head: Head<T>): Step<T> | Promise<Step<T>> {
    try {
      const iterator = (head.iterator ??= head.source.open());
      for (let now = itemNow(iterator); now !== undefined; now = itemNow(iterator)) {
        const step = this.#received(head, now);
        if (step !== undefined) return step;
      }
      return iterator.next().then(
        (result) => this.#received(head, result) ?? this.#pulled(head),
        (error: unknown) => this.#failed(head, error),
      );
    } catch (error) {
      return this.#failed(head, error);
    }
  }

  #received(head: Head<T>, result: IteratorResult<T, unknown>): Step<T> | Promise<Step<T>> | undefined {
    if (result.done === true) {
      this.#heads = this.#heads.filter((other) => other !== head);
      return this.#chosen();
    }
    const item = head.source.accept === undefined ? result.value : head.source.accept(result.value);
    if (item === undefined) return undefined;
    if (head === this.#running && this.#isRunning(head, item)) return this.#yielded(item);
    head.item = item;
    return this.#chosen();
  }

  /** Finds whose turn it is, asking those of whom nothing is known, and takes its item. */
  #chosen(): Step<T> | Promise<Step<T>> {
    this.#running = this.#waiting = undefined;
    for (const head of this.#heads) {
      if (head.item === undefined) return this.#pulled(head);
      if (this.#running === undefined || this.#isBefore(head, this.#running, this.#running.item as T)) {
        this.#waiting = this.#running;
        this.#running = head;
      } else if (this.#waiting === undefined || this.#isBefore(head, this.#waiting, this.#waiting.item as T)) {
        this.#waiting = head;
      }
    }
    const head = this.#running;
    if (head?.item === undefined) return this.#ended();
    const { item } = head;
    head.item = undefined;
    const { ceiling } = head.source;
    const next = this.#waiting?.item;
    this.#isAlone = next === undefined || (ceiling !== undefined && this.#compare(ceiling, next) <= 0);
    // Of a source that is not open the item is only its floor. Equal items come from two sources: one begins a run.
    if (head.iterator === undefined || this.#isRepeated(item)) return this.#pulled(head);
    return this.#yielded(item);
  }

  #isRunning(head: Head<T>, item: T): boolean {
    return this.#isAlone || this.#waiting === undefined || !this.#isBefore(this.#waiting, head, item);
  }

  #isRepeated(item: T): boolean {
    return this.#isUnique && this.#previous !== undefined && this.#compare(this.#previous, item) === 0;
  }

  #isBefore(head: Head<T>, other: Head<T>, otherItem: T): boolean {
    const order = this.#compare(head.item as T, otherItem);
    return order < 0 || (order === 0 && head.order < other.order);
  }

  #yielded(item: T): Step<T> | Promise<Step<T>> {
    if (this.#isDone) return this.#ended();
    this.#previous = item;
    this.#left--;
    this.#isBusy = false;
    return { done: false, value: item };
  }

  #ended(): Promise<Step<T>> {
    this.#isBusy = false;
    return this.return();
  }

  async #failed(head: Head<T>, error: unknown): Promise<never> {
    this.#isBusy = false;
    this.#heads = this.#heads.filter((other) => other !== head);
    await this.#close();
    throw head.source.explain === undefined ? error : head.source.explain(error);
  }

  async #close(): Promise<void> {
    this.#isDone = true;
    const open = this.#heads.map((head) => head.iterator);
    this.#heads = [];
    this.#running = undefined;
    await Promise.all(open.map(async (iterator) => iterator?.return?.()));
  }
}
