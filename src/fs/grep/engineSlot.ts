import { limits } from "../../base";
import type { SnapshotTree } from "../snapshotTree";
import type { EngineReply, FromEngineWorker, ToEngineWorker } from "./engineProtocol";
import { TreeShipper } from "./treeShipper";

/** The worker a question was put to is gone: `"stuck"` when it was on this question, `"lost"` when on another one. */
export class WorkerGoneError extends Error {
  readonly code: "stuck" | "lost" | "failed";
  constructor(code: "stuck" | "lost" | "failed", message = `search worker ${code}`) {
    super(message);
    this.name = "WorkerGoneError";
    this.code = code;
  }
}

export interface WorkerEngineOptions {
  /** Starts a worker on `engineWorker.ts`; called when one is needed, and again after one had to be killed. */
  readonly createWorker: () => Worker;
  /** Milliseconds an expression may be on one file; `limits.grepFileBudgetMs` when it is left out. */
  readonly fileBudgetMs?: number;
}

type Question<M = ToEngineWorker> = M extends { readonly requestId: number } ? Omit<M, "requestId"> : never;

interface Pending {
  readonly resolve: (reply: EngineReply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A place for one worker. A worker that is silent for the budget of a file while it has a question is on an expression
 * that runs away: it is killed, and the next question starts another one.
 */
export class EngineSlot {
  readonly #createWorker: () => Worker;
  readonly #budgetMs: number;
  /** One more with every worker: what was opened in an earlier one is gone. */
  generation = 0;
  #worker: Worker | undefined;
  #shipper: TreeShipper | undefined;
  #isReady = false;
  #lastRequestId = 0;
  /** In the order they were asked, which is the order they are answered in. */
  readonly #pending = new Map<number, Pending>();
  #heardAt = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor({ createWorker, fileBudgetMs = limits.grepFileBudgetMs }: WorkerEngineOptions) {
    this.#createWorker = createWorker;
    this.#budgetMs = fileBudgetMs;
  }

  tell(message: ToEngineWorker, transfer: Transferable[] = []): void {
    this.#started().postMessage(message, transfer);
  }

  /** @throws WorkerGoneError */
  ask(question: Question): Promise<EngineReply> {
    const worker = this.#started();
    const requestId = ++this.#lastRequestId;
    if (this.#pending.size === 0) this.#heardAt = performance.now();
    const reply = new Promise<EngineReply>((resolve, reject) => this.#pending.set(requestId, { resolve, reject }));
    worker.postMessage({ ...question, requestId }, []);
    this.#keepWatch();
    return reply;
  }

  /** Sends what the worker lacks of a tree, then calls `onShipped` with the id of its root, in the same worker. */
  async ship(tree: SnapshotTree, onShipped: (root: number) => void): Promise<void> {
    for (;;) {
      this.#started();
      const { generation } = this;
      let isCurrent = true;
      await this.#shipper?.ship(tree, (root) => {
        isCurrent = generation === this.generation;
        if (isCurrent) onShipped(root);
      });
      if (isCurrent) return;
    }
  }

  dispose(): void {
    this.#end(new WorkerGoneError("failed", "the search engine was closed"), undefined);
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#createWorker();
    this.generation++;
    this.#worker = worker;
    this.#isReady = false;
    this.#shipper = new TreeShipper((message) => {
      if (this.#worker === worker) worker.postMessage(message, []);
    });
    worker.addEventListener("message", ({ data }: MessageEvent<FromEngineWorker>) => {
      if (this.#worker === worker) this.#hear(data);
    });
    worker.addEventListener("error", (event) => {
      // It is told to whoever asked, not to the console.
      event.preventDefault();
      if (this.#worker === worker)
        this.#end(new WorkerGoneError("failed", event.message || "it did not start"), undefined);
    });
    return worker;
  }

  #hear(message: FromEngineWorker): void {
    this.#heardAt = performance.now();
    if (message.kind === "ready") this.#isReady = true;
    if (message.kind === "ready" || message.kind === "alive") return;
    const pending = this.#pending.get(message.requestId);
    this.#pending.delete(message.requestId);
    if (this.#pending.size === 0) this.#stopWatch();
    pending?.resolve(message);
  }

  #keepWatch(leftMs: number = this.#budgetMs): void {
    if (this.#watch !== undefined) return;
    this.#watch = setTimeout(() => {
      // Replies that came while this thread was busy are heard first.
      this.#watch = setTimeout(() => this.#look(), 0);
    }, leftMs);
  }

  #look(): void {
    this.#watch = undefined;
    if (this.#pending.size === 0) return;
    const leftMs = this.#budgetMs - (performance.now() - this.#heardAt);
    const [oldest] = this.#pending.keys();
    // A worker that is still loading is slow, not stuck.
    if (!this.#isReady) this.#keepWatch();
    else if (leftMs > 0) this.#keepWatch(leftMs);
    else this.#end(new WorkerGoneError("lost"), oldest);
  }

  #stopWatch(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }

  /** Ends the worker; all questions get the error, the one it was stuck on gets that. */
  #end(error: WorkerGoneError, stuckOn: number | undefined): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#shipper = undefined;
    this.generation++;
    this.#stopWatch();
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [requestId, { reject }] of pending) {
      reject(requestId === stuckOn ? new WorkerGoneError("stuck") : error);
    }
  }
}
