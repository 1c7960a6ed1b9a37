import { limits } from "../base";
import type { SessionEvent } from "../session";
import type { SessionLog } from "./sessionRecord";

export interface LogWriterOptions {
  /** Milliseconds events wait at most; an animation frame that comes first takes them. */
  readonly batchMs?: number;
  /** Called when a batch could not be stored; it is tried again with the next. */
  readonly onError?: (error: unknown) => void;
}

/** Writes events as they happen, in order, gathered for a moment. */
export interface LogWriter {
  append(event: SessionEvent): void;
  /**
   * Resolves when every event appended so far is stored; does not wait for the moment to pass.
   * @throws QuotaError, UnavailableError; the events are kept and tried again by the next call
   */
  durable(): Promise<void>;
  /** Stores what is left. @throws as `durable` */
  close(): Promise<void>;
}

export function createLogWriter(log: Pick<SessionLog, "append">, options: LogWriterOptions = {}): LogWriter {
  const batchMs = options.batchMs ?? limits.logBatchMs;
  let waiting: SessionEvent[] = [];
  let writing: Promise<void> | undefined;
  let unschedule: (() => void) | undefined;

  function schedule(): void {
    unschedule ??= firstOfFrameAndTimer(batchMs, () => {
      unschedule = undefined;
      write().catch((error: unknown) => options.onError?.(error));
    });
  }

  /** Everything that waits, and what comes while it is being written. */
  function write(): Promise<void> {
    unschedule?.();
    unschedule = undefined;
    writing ??= writeWaiting();
    return writing;
  }

  async function writeWaiting(): Promise<void> {
    // `writing` is set by the time this goes on.
    await Promise.resolve();
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        try {
          await log.append(batch);
        } catch (error) {
          waiting = [...batch, ...waiting];
          throw error;
        }
      }
    } finally {
      // In the same breath as the last look at what waits: an event that came between the two would never be stored.
      writing = undefined;
    }
  }

  const durable = async () => {
    if (waiting.length > 0 || writing !== undefined) await write();
  };
  return {
    append(event) {
      waiting.push(event);
      if (writing === undefined) schedule();
    },
    durable,
    close: durable,
  };
}

/** Hidden tabs have no animation frames, and workers may have none at all. */
function firstOfFrameAndTimer(timeoutMs: number, run: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
  const runOnce = () => {
    cancel();
    run();
  };
  const timer = setTimeout(runOnce, timeoutMs);
  const frame = typeof requestAnimationFrame === "function" ? requestAnimationFrame(runOnce) : undefined;
  return cancel;
}
