import { initialSessionState, reduceSession, type SessionEvent, type SessionState } from "../session";

/** Milliseconds of folding after which a long log lets the page breathe. */
const SLICE_MS = 8;

/** The events of one session and what is folded from them, in step. */
export class SessionFeed {
  readonly events: SessionEvent[] = [];
  #state: SessionState = initialSessionState;

  get state(): SessionState {
    return this.#state;
  }

  add(event: SessionEvent): void {
    this.#state = reduceSession(this.#state, event, this.events.length);
    this.events.push(event);
  }

  /** Adds what a log holds beyond what is here, in slices between which the page goes on. Stops when the signal fires. */
  async addAll(
    batches: AsyncIterable<readonly SessionEvent[]>,
    signal?: AbortSignal,
    progress?: () => void,
  ): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for await (const batch of batches) {
      for (const event of batch) {
        if (signal?.aborted) return;
        this.add(event);
        if (performance.now() < sliceEnd) continue;
        progress?.();
        await new Promise((resolve) => setTimeout(resolve));
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
  }
}
