/** A queue one side pushes to and the other iterates; what is pushed before it is asked for is kept, in order. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #waiting: (() => void) | undefined;
  #ended = false;
  #error: { readonly reason: unknown } | undefined;

  push(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#wake();
  }

  /** No more items; those already pushed are still delivered. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Ends with an error, thrown to the iterating side after the items already pushed. */
  fail(reason: unknown): void {
    this.#error = { reason };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        while (this.#items.length > 0) {
          const batch = this.#items;
          this.#items = [];
          yield* batch;
        }
        if (this.#ended) {
          if (this.#error) throw this.#error.reason;
          return;
        }
        await new Promise<void>((resolve) => (this.#waiting = resolve));
      }
    } finally {
      this.#ended = true;
    }
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}
