import { TimeSlice } from "./grep/timeSlice";

type Step<T> = IteratorResult<T, undefined>;

/** Items passed over between two looks at the time. */
const ITEMS_A_LOOK = 64;

/**
 * What `take` makes of the items, those left out for which it gives `undefined`. However many are passed over, everything
 * else on the thread gets its turn in between. What is at hand comes without a wait.
 */
export class SlicedFilter<S, T> implements AsyncIterator<T, undefined> {
  readonly #items: Iterator<S>;
  readonly #take: (item: S) => T | undefined;
  readonly #slice = new TimeSlice();
  #isLeft = false;

  constructor(items: Iterator<S>, take: (item: S) => T | undefined) {
    this.#items = items;
    this.#take = take;
  }

  next(): Promise<Step<T>> {
    try {
      const step = this.#stepNow();
      return step === undefined ? this.#stepLater() : Promise.resolve(step);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async return(): Promise<Step<T>> {
    this.#isLeft = true;
    this.#items.return?.();
    return { done: true, value: undefined };
  }

  /** The next step, or `undefined` when the time is up before there is one. */
  #stepNow(): Step<T> | undefined {
    for (let passed = 1; !this.#isLeft; passed++) {
      const item = this.#items.next();
      if (item.done === true) break;
      const value = this.#take(item.value);
      if (value !== undefined) return { done: false, value };
      if (passed % ITEMS_A_LOOK === 0 && this.#slice.isOver) return undefined;
    }
    return { done: true, value: undefined };
  }

  async #stepLater(): Promise<Step<T>> {
    for (;;) {
      await this.#slice.pause();
      const step = this.#stepNow();
      if (step !== undefined) return step;
    }
  }
}
