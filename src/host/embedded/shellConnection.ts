import { limits } from "../../base";
import { HostError } from "../host";
import type { FromShell, ShellAnswer, ShellJob, ToShell } from "./shellMessages";

/** How a command came to its end: with an answer, by the end of its worker here, or by one nobody asked for. */
export type ShellOutcome =
  | { readonly kind: "answer"; readonly answer: ShellAnswer }
  | { readonly kind: "terminated"; readonly by: "timeout" | "aborted" | "killed" }
  | { readonly kind: "lost"; readonly words: string };

type OpenMessage = ToShell & { readonly kind: "open" };

/** One worker with a shell in it, from its start to its end. */
export class ShellConnection {
  readonly #worker: Worker;
  readonly #stopFlag: Int32Array | undefined;
  /** Called with every message of the worker. */
  readonly #listeners = new Set<(message: FromShell) => void>();
  /** Resolves when the worker is gone. */
  readonly #ended: Promise<ShellOutcome>;
  #end: (outcome: ShellOutcome) => void = () => undefined;
  #isOver = false;

  /** @throws HostError */
  static async open(
    createWorker: () => Worker,
    message: Omit<OpenMessage, "kind" | "stopFlag">,
  ): Promise<ShellConnection> {
    const connection = new ShellConnection(createWorker());
    try {
      await connection.#opened({ ...message, kind: "open", stopFlag: connection.#stopFlag });
      return connection;
    } catch (error) {
      connection.terminate("killed");
      throw error;
    }
  }

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#stopFlag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
    worker.addEventListener("message", ({ data }: MessageEvent<FromShell>) => {
      for (const listener of this.#listeners) listener(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#over({ kind: "lost", words: event.message === "" ? "its script could not be loaded" : event.message });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Runs a command until its deadline and a grace; what it has ended by itself may take its time to be stored. Never throws.
   */
  async run(job: ShellJob, signal: AbortSignal | undefined): Promise<ShellOutcome> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const endAfter = (ms: number, by: "timeout" | "aborted") => {
      clearTimeout(timer);
      timer = setTimeout(() => this.terminate(by), ms);
    };
    const onAbort = () => {
      if (this.#stopFlag !== undefined) Atomics.store(this.#stopFlag, 0, 1);
      this.#post({ kind: "abort", id: job.id });
      endAfter(limits.shellKillGraceMs, "aborted");
    };
    let stop = (): void => undefined;
    const answered = new Promise<ShellOutcome>((resolve) => {
      stop = this.#listen((message) => {
        if (message.kind === "storing" && message.id === job.id) {
          signal?.removeEventListener("abort", onAbort);
          clearTimeout(timer);
        }
        if (message.kind === "result" && message.id === job.id) resolve({ kind: "answer", answer: message.result });
      });
    });
    if (this.#stopFlag !== undefined) Atomics.store(this.#stopFlag, 0, 0);
    signal?.addEventListener("abort", onAbort, { once: true });
    endAfter(job.timeoutMs + limits.shellKillGraceMs, "timeout");
    this.#post({ kind: "run", ...job });
    const outcome = await Promise.race([answered, this.#ended]);
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    stop();
    return outcome;
  }

  /** Resolves when all is stored, or the worker is gone. @throws HostError `storage` */
  async flush(id: number): Promise<void> {
    let stop = (): void => undefined;
    const flushed = new Promise<string | undefined>((resolve) => {
      stop = this.#listen((message) => {
        if (message.kind === "flushed" && message.id === id) resolve(message.problem);
      });
    });
    this.#post({ kind: "flush", id });
    const problem = await Promise.race([flushed, this.#ended.then(() => undefined)]);
    stop();
    if (problem !== undefined) throw new HostError("storage", `Not all that was written could be kept: ${problem}`);
  }

  terminate(by: "timeout" | "aborted" | "killed"): void {
    this.#over({ kind: "terminated", by });
  }

  async #opened(message: OpenMessage): Promise<void> {
    let stop = (): void => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answered = new Promise<FromShell | undefined>((resolve) => {
      stop = this.#listen(resolve);
      timer = setTimeout(() => resolve(undefined), limits.hostBootMs);
    });
    this.#post(message);
    const answer = await Promise.race([answered, this.#ended]);
    clearTimeout(timer);
    stop();
    if (answer?.kind !== "ready") throw refusal(answer);
  }

  #post(message: ToShell): void {
    if (!this.#isOver) this.#worker.postMessage(message, []);
  }

  #listen(listener: (message: FromShell) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #over(outcome: ShellOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#worker.terminate();
    this.#end(outcome);
  }
}

function refusal(answer: FromShell | ShellOutcome | undefined): HostError {
  if (answer === undefined) {
    const seconds = limits.hostBootMs / 1_000;
    return new HostError(
      "boot-timeout",
      `The shell did not start within ${seconds} s. Try again, or reload the page.`,
      {
        retry: true,
      },
    );
  }
  if (answer.kind === "refused" && answer.code === "storage") {
    const words = `The shell cannot open this project's files: ${answer.message} Reload the page, or free some space, and try again.`;
    return new HostError("storage", words, { retry: true });
  }
  const words = "message" in answer ? answer.message : "words" in answer ? answer.words : "its worker ended";
  return new HostError("boot-failed", `The shell did not start: ${words}. Reload the page and try again.`, {
    retry: true,
  });
}
