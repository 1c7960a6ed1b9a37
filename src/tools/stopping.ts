import { limits, nextTask } from "../base";

/** @throws an `AbortError` once the signal has fired */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** Waits for `work`, or throws an `AbortError` as soon as the signal fires; `work` itself is then left to end unheard. */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfStopped(signal);
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortError(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * The items until the signal fires, then an `AbortError`, also while an item is awaited; the source is closed either way.
 * A source that never waits would hold the thread, so control goes back to the event loop between slices of work.
 */
export async function* whileRunning<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  throwIfStopped(signal);
  const iterator = items[Symbol.asyncIterator]();
  let rejectPending: (reason: unknown) => void = () => undefined;
  const stop = () => rejectPending(abortError(signal));
  signal.addEventListener("abort", stop, { once: true });
  let exhausted = false;
  let sliceStart = performance.now();
  try {
    for (;;) {
      throwIfStopped(signal);
      // One promise an item and none shared: a race against a long-lived promise would gather a reaction for every item.
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectPending = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) {
        exhausted = true;
        return;
      }
      yield next.value;
      if (performance.now() - sliceStart < limits.workSliceMs) continue;
      await nextTask();
      sliceStart = performance.now();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not awaited: a source stuck in its own wait cannot close before that ends.
    if (!exhausted) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  return new DOMException("stopped", "AbortError");
}
