import { nextTask } from "../../base";

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
