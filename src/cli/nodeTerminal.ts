import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { isNodeError } from "./isNodeError";
import type { Terminal } from "./terminal";

/** The exit code of a program that a person stopped, as shells have it. */
export const STOPPED_EXIT_CODE = 130;

/** What comes once the output has been closed: `head` has seen enough, which is no failure. */
const CLOSED = ["EPIPE", "EOF", "ECONNRESET", "ERR_STREAM_DESTROYED"];

export interface NodeTerminal extends Terminal {
  /** Whether a person stopped the program. */
  wasStopped(): boolean;
  /** Resolves when everything written has left the process. */
  flushed(): Promise<void>;
}

/** The streams of this process. */
export function nodeTerminal(): NodeTerminal {
  const stop = new AbortController();
  let isClosed = false;
  let wasStopped = false;
  const onOutputError = (error: Error) => {
    if (!isNodeError(error) || !CLOSED.includes(error.code)) throw error;
    isClosed = true;
    stop.abort();
  };
  process.stdout.on("error", onOutputError);
  process.stderr.on("error", onOutputError);
  process.once("SIGINT", () => {
    wasStopped = true;
    stop.abort();
  });
  const written = (stream: NodeJS.WriteStream, words: string) =>
    // An error comes by the stream's own event as well, which decides about it.
    new Promise<void>((resolve) => void stream.write(words, () => resolve()));
  return {
    // `npm run` goes to the project's folder first; the person stands where npm was called.
    cwd: (process.env["npm_lifecycle_event"] === "agent" && process.env["INIT_CWD"]) || process.cwd(),
    environment: process.env,
    write: async (words) => {
      if (!isClosed && words !== "") await written(process.stdout, words);
    },
    note: (words) => void process.stderr.write(words),
    readInput: () => text(process.stdin),
    isPersonThere: process.stdin.isTTY && process.stderr.isTTY,
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await Promise.race([
          lines.question(question, { signal: stop.signal }),
          new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined))),
        ]);
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      } finally {
        lines.close();
      }
    },
    signal: stop.signal,
    wasStopped: () => wasStopped,
    flushed: async () => {
      if (!isClosed) await Promise.all([written(process.stdout, ""), written(process.stderr, "")]);
    },
  };
}
