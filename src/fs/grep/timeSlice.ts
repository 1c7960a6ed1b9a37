/** Milliseconds of work between two breaks: short of a dropped frame. */
const SLICE_MS = 10;

/** Long work on a thread that must stay free: `isOver` now and then, and `pause` when it is. */
export class TimeSlice {
  #begin = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#begin >= SLICE_MS;
  }

  /** Lets everything else that waits run. */
  async pause(): Promise<void> {
    await nextTask();
    this.#begin = performance.now();
  }
}

/** A timer would wait four milliseconds in a browser; a message or an immediate does not. */
function nextTask(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
