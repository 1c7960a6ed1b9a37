import { limits, ulid } from "../../base";
import {
  HOST_ROOT,
  HostError,
  type Host,
  type HostCapabilities,
  type HostStatus,
  type ShellOptions,
  type ShellResult,
} from "../host";
import { holdHostLock } from "../hostLock";
import type { EmbeddedHostOptions, HostPageDisk } from "./embeddedHostOptions";
import { ShellConnection, type ShellOutcome } from "./shellConnection";

/**
 * The host that needs nothing but the page: a simulated bash in a worker that can be ended, on a disk in IndexedDB
 * (docs/hosts.md, section 2). Commands run one after the other. The caller owns the disk and the database.
 */
export function embeddedHost(options: EmbeddedHostOptions): Host {
  return new EmbeddedHost(options);
}

class EmbeddedHost implements Host {
  readonly kind = "embedded";
  readonly caps: HostCapabilities = {
    realNode: false,
    splitStderr: true,
    streaming: false,
    needsNetwork: false,
    preview: false,
  };
  readonly root = HOST_ROOT;
  readonly disk: HostPageDisk;
  readonly #options: EmbeddedHostOptions;
  readonly #listeners = new Set<(status: HostStatus) => void>();
  #status: HostStatus = { state: "idle" };
  #unlock: (() => void) | undefined;
  #connection: ShellConnection | undefined;
  #booting: Promise<void> | undefined;
  /** Resolves when the command before the next one is over. */
  #last: Promise<void> = Promise.resolve();
  #jobs = 0;
  #modes: readonly (readonly [path: string, mode: number])[] = [];

  constructor(options: EmbeddedHostOptions) {
    this.#options = options;
    this.disk = options.disk;
  }

  status(): HostStatus {
    return this.#status;
  }

  onStatus(listener: (status: HostStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async boot({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#assertThere();
    signal?.throwIfAborted();
    if (this.#connection?.isOver === false) return;
    this.#booting ??= this.#start("starting the shell").finally(() => (this.#booting = undefined));
    // Whoever stops waiting leaves it to the others, and to the next command.
    this.#booting.catch(() => undefined);
    await untilAborted(this.#booting, signal);
    signal?.throwIfAborted();
  }

  async shell(command: string, options: ShellOptions = {}): Promise<ShellResult> {
    this.#assertThere();
    const { signal } = options;
    const before = this.#last;
    let release = (): void => undefined;
    const mine = new Promise<void>((resolve) => (release = resolve));
    this.#last = before.then(() => mine);
    try {
      await untilAborted(before, signal);
      if (signal?.aborted) return endedResult("aborted");
      await this.boot(signal === undefined ? {} : { signal });
      return await this.#ran(command, options);
    } catch (error) {
      if (signal?.aborted) return endedResult("aborted");
      throw error;
    } finally {
      release();
    }
  }

  async flush(): Promise<void> {
    await this.#connection?.flush(++this.#jobs);
  }

  async dispose(): Promise<void> {
    if (this.#status.state === "disposed") return;
    this.#become({ state: "disposed" });
    this.#connection?.terminate("killed");
    await this.#last;
    this.#unlock?.();
    this.#unlock = undefined;
    this.#listeners.clear();
  }

  async #start(phase: string): Promise<void> {
    const { database, diskName, createWorker = ownWorker } = this.#options;
    this.#become({ state: "booting", phase });
    try {
      if (!database.isShared) throw notKept();
      this.#unlock ??= await holdHostLock(`rootscope/host/${database.name}/${diskName}`);
      const connection = await ShellConnection.open(createWorker, {
        databaseName: database.name,
        diskName,
        modes: this.#modes,
      });
      if (this.status().state === "disposed") connection.terminate("killed");
      this.#assertThere();
      this.#connection = connection;
      this.#become({ state: "ready" });
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  #failed(error: unknown): void {
    if (!(error instanceof HostError)) return this.#become({ state: "idle" });
    const { code, message, retry } = error;
    if (code === "disposed") this.#unlock?.();
    else this.#become({ state: "failed", code, message, retry });
  }

  async #ran(command: string, options: ShellOptions): Promise<ShellResult> {
    const connection = this.#connection;
    if (connection === undefined) throw new HostError("host-lost", "The shell is gone. Try again.", { retry: true });
    const job = {
      id: ++this.#jobs,
      command,
      cwd: options.cwd ?? HOST_ROOT,
      env: options.env ?? {},
      timeoutMs: options.timeoutMs ?? limits.shellTimeoutMs,
      readOnly: options.readOnly ?? false,
      sandbox: options.sandbox ?? false,
      outputId: ulid(Date.now(), Math.random),
    };
    options.onStart?.();
    const outcome = await connection.run(job, options.signal);
    // Whoever reads files next sees what the command wrote.
    await this.disk.refresh().catch(notRefreshed);
    if (outcome.kind === "answer") this.#modes = outcome.answer.modes;
    else this.#restart(outcome);
    const result = resultOf(outcome, job.timeoutMs);
    for (const stream of ["stdout", "stderr"] as const) {
      if (result[stream] !== "") options.onOutput?.({ stream, text: result[stream] });
    }
    return result;
  }

  /** After a worker has ended; a person goes on meanwhile, and the next command waits for it. */
  #restart(outcome: ShellOutcome): void {
    if (this.status().state === "disposed") return;
    const phase = outcome.kind === "lost" ? "starting the shell again" : "starting the shell again after a stop";
    this.#booting ??= this.#start(phase).finally(() => (this.#booting = undefined));
    this.#booting.catch((error: unknown) => {
      const words = error instanceof Error ? error.message : String(error);
      if (this.status().state === "failed")
        this.#become({ state: "degraded", reason: `The shell was ended and did not come back. ${words}` });
    });
  }

  #become(status: HostStatus): void {
    if (this.#status.state === "disposed") return;
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }

  #assertThere(): void {
    if (this.#status.state === "disposed")
      throw new HostError(
        "disposed",
        "This shell is closed: its project was, or another host was chosen. Run the command again there.",
      );
  }
}

function ownWorker(): Worker {
  return new Worker(new URL("./shellWorker.ts", import.meta.url), { type: "module" });
}

function notKept(): HostError {
  return new HostError(
    "storage",
    "The shell works on files this browser keeps, and this project is in memory only. Allow this site to store data, then open the project again.",
  );
}

function notRefreshed(error: unknown): never {
  const words = error instanceof Error ? error.message : String(error);
  throw new HostError("storage", `The command has run, but its files cannot be read here: ${words}. Reload the page.`, {
    cause: error,
    retry: true,
  });
}

/** Resolves with `before`, or as soon as the signal fires. */
async function untilAborted(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return before;
  if (signal.aborted) return;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
    signal.addEventListener("abort", onAbort, { once: true });
  });
  await Promise.race([before, aborted]);
  signal.removeEventListener("abort", onAbort);
}

function resultOf(outcome: ShellOutcome, timeoutMs: number): ShellResult {
  if (outcome.kind === "terminated") return endedResult(outcome.by, timeoutMs);
  if (outcome.kind === "lost")
    return { stdout: "", stderr: `bash: the shell ended by itself: ${outcome.words}\n`, exitCode: 1, end: "host-lost" };
  const { modes: _, ...result } = outcome.answer;
  return result;
}

/** What is known of a command whose worker was ended: files it had written are kept, what it had printed is gone. */
function endedResult(end: "timeout" | "aborted" | "killed", timeoutMs = 0): ShellResult {
  const { exitCode, words } = {
    timeout: { exitCode: 124, words: `ended after ${timeoutMs} ms, its timeout` },
    aborted: { exitCode: 130, words: "stopped" },
    killed: { exitCode: 137, words: "ended with its shell" },
  }[end];
  const stderr = `bash: ${words}; files it had written are kept, what it had printed is not known\n`;
  return { stdout: "", stderr, exitCode, end };
}
