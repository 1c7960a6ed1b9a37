type Source<T> = Iterator<T> | AsyncIterator<T>;
type Step<T> = IteratorResult<T, undefined>;

/**
 * An asynchronous iterable over an iterator that is opened at the first `next()` and closed when it is left. An async
 * generator would do the same, but takes three turns of the microtask queue an item where this adds none, and lists are
 * long.
 */
export function lazyIterable<T>(open: () => Source<T> | Promise<Source<T>>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new LazyIterator(open) };
}

/**
 * The next item of an iterator, if it is one of `lazyIterable` that has it at hand; otherwise `undefined`, and it must be
 * asked by `next()`. @throws what the source throws
 */
export function itemNow<T>(iterator: AsyncIterator<T>): IteratorResult<T, undefined> | undefined {
  return iterator instanceof LazyIterator ? (iterator as LazyIterator<T>).nextNow() : undefined;
}

class LazyIterator<T> implements AsyncIterator<T, undefined> {
  readonly #open: () => Source<T> | Promise<Source<T>>;
  #opening: Promise<Source<T>> | undefined;
  #source: Source<T> | undefined;
  #isLeft = false;

  constructor(open: () => Source<T> | Promise<Source<T>>) {
    this.#open = open;
  }

  next(): Promise<Step<T>> {
    if (this.#isLeft) return Promise.resolve({ done: true, value: undefined });
    if (this.#source === undefined) return this.#first();
    try {
      return Promise.resolve(this.#source.next() as Step<T> | Promise<Step<T>>);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** A step without a promise, once it is open and as long as its source is a plain iterator. */
  nextNow(): Step<T> | undefined {
    const source = this.#source;
    if (source === undefined || this.#isLeft) return undefined;
    if (source instanceof LazyIterator) return (source as LazyIterator<T>).nextNow();
    return Symbol.iterator in source ? (source.next() as Step<T>) : undefined;
  }

  async return(): Promise<Step<T>> {
    this.#isLeft = true;
    await this.#source?.return?.();
    return { done: true, value: undefined };
  }

  async #first(): Promise<Step<T>> {
    this.#opening ??= Promise.resolve(this.#open());
    this.#source ??= await this.#opening;
    if (!this.#isLeft) return (await this.#source.next()) as Step<T>;
    await this.#source.return?.();
    return { done: true, value: undefined };
  }
}
