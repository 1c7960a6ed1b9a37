/** One ordered source of a merge. */
export interface MergeSource<T> {
  /** Nothing the source yields comes before this, so it is not opened until the merge has come so far. */
  readonly floor?: T;
  open(): AsyncIterator<T>;
  /** What becomes of an item: another one in its place, or `undefined` to pass it over. */
  readonly accept?: (item: T) => T | undefined;
  /** What becomes of an error of the source. */
  readonly explain?: (error: unknown) => unknown;
}

export interface MergeOptions {
  /** Items that are equal to the one before are passed over. */
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

/** Written by hand because a list of a union goes through it: most items come in long runs of one source. */
class SortedMerge<T> implements AsyncIterator<T, undefined> {
  readonly #compare: (a: T, b: T) => number;
  readonly #isUnique: boolean;
  #heads: Head<T>[];
  /** The source whose run it is, and the one whose turn comes next. */
  #running: Head<T> | undefined;
  #waiting: Head<T> | undefined;
  #previous: T | undefined;
  #left: number;
  #isBusy = false;
  #isDone = false;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(sources: readonly MergeSource<T>[], compare: (a: T, b: T) => number, options: MergeOptions) {
    this.#compare = compare;
    this.#isUnique = options.unique ?? false;
    this.#left = options.limit ?? Infinity;
    this.#heads = sources.map((source, order) => ({ source, order, iterator: undefined, item: source.floor }));
  }

  next(): Promise<Step<T>> {
    const step = this.#isBusy
      ? this.#latest.then(
          () => this.next(),
          () => this.next(),
        )
      : this.#started();
    this.#latest = step;
    return step;
  }

  async return(): Promise<Step<T>> {
    await this.#close();
    return { done: true, value: undefined };
  }

  #started(): Promise<Step<T>> {
    if (this.#isDone || this.#left <= 0) return this.return();
    this.#isBusy = true;
    return this.#running === undefined ? this.#chosen() : this.#pulled(this.#running);
  }

  #pulled(head: Head<T>): Promise<Step<T>> {
    let result: Promise<IteratorResult<T, unknown>>;
    try {
      result = (head.iterator ??= head.source.open()).next();
    } catch (error) {
      return this.#failed(head, error);
    }
    return result.then(
      (step) => this.#received(head, step),
      (error: unknown) => this.#failed(head, error),
    );
  }

  #received(head: Head<T>, result: IteratorResult<T, unknown>): Step<T> | Promise<Step<T>> {
    if (result.done === true) {
      this.#heads = this.#heads.filter((other) => other !== head);
      return this.#chosen();
    }
    const item = head.source.accept === undefined ? result.value : head.source.accept(result.value);
    if (item === undefined) return this.#pulled(head);
    if (head !== this.#running || (this.#waiting !== undefined && this.#isBefore(this.#waiting, head, item))) {
      head.item = item;
      return this.#chosen();
    }
    return this.#yielded(head, item);
  }

  /** Whose turn it is, after asking those of whom nothing is known. */
  async #chosen(): Promise<Step<T>> {
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
    return head.iterator === undefined ? this.#pulled(head) : this.#yielded(head, item);
  }

  #isBefore(head: Head<T>, other: Head<T>, otherItem: T): boolean {
    const order = this.#compare(head.item as T, otherItem);
    return order < 0 || (order === 0 && head.order < other.order);
  }

  #yielded(head: Head<T>, item: T): Step<T> | Promise<Step<T>> {
    if (this.#isUnique && this.#previous !== undefined && this.#compare(this.#previous, item) === 0) {
      return this.#pulled(head);
    }
    if (this.#isDone) return this.#ended();
    this.#previous = item;
    this.#left--;
    this.#isBusy = false;
    return { done: false, value: item };
  }

  async #ended(): Promise<Step<T>> {
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
