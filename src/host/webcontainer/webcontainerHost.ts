import { limits, seededRandom, systemClock, ulid, type Clock } from "../../base";
import { normalizeFsPath, PathError } from "../../fs";
import {
  HOST_ROOT,
  HostError,
  type Host,
  type HostCapabilities,
  type HostDisk,
  type HostStatus,
  type ShellOptions,
  type ShellResult,
} from "../host";
import { AGENT_IGNORE_FILE, spillPaths } from "../outputKeeper";
import { bootError, words } from "./bootFailure";
import { containerCommand, type CommandOutcome } from "./containerCommand";
import { ContainerSession } from "./containerSession";
import { DiskMirror, type MirrorReport } from "./diskMirror";
import { previewList, type HostPreview } from "./previewList";
import { settledWithin } from "./settledWithin";
import type { WebContainerPage } from "./webContainerPage";

export interface WebContainerHostOptions {
  /** The page's one container; made once for the page, shared by its projects. */
  readonly page: WebContainerPage;
  /** The project's host disk, rooted at the host's `root`; whoever made it closes it. */
  readonly disk: HostDisk;
  readonly now?: Clock;
  /** Names the files of long output; told apart by time and chance when omitted. */
  readonly outputId?: () => string;
  /** Milliseconds a process gets to end when it is told to; `limits.hostKillMs` when omitted. */
  readonly killMs?: number;
}

/** Real Node in the page. Its files are a copy of the disk's, kept in step around every command. */
export interface WebContainerHost extends Host {
  readonly kind: "webcontainer";
  /** Keeps what was written and starts the container anew: what ends a process that ignores its end. @throws HostError */
  restart(): Promise<void>;
  /** Ports that answer, by number. */
  previews(): readonly HostPreview[];
  /** Calls back after every change of the ports; the function returned ends that. */
  onPreviews(listener: (previews: readonly HostPreview[]) => void): () => void;
}

const CAPABILITIES: HostCapabilities = {
  realNode: true,
  splitStderr: false,
  streaming: true,
  needsNetwork: true,
  preview: true,
};

const EXIT_REFUSED = 126;
const EXIT_STOPPED = 130;
const SANDBOX_REFUSAL =
  "The sandbox has no network, and real Node cannot be kept from it: choose the embedded host for it.\n";

export function webcontainerHost(options: WebContainerHostOptions): WebContainerHost {
  return new ContainerHost(options);
}

/** One start of the container with all that belongs to it. */
interface Running {
  readonly session: ContainerSession;
  readonly mirror: DiskMirror;
  readonly leave: () => void;
}

class ContainerHost implements WebContainerHost {
  readonly kind = "webcontainer";
  readonly caps = CAPABILITIES;
  readonly root = HOST_ROOT;
  readonly disk: HostDisk;
  readonly #page: WebContainerPage;
  readonly #now: Clock;
  readonly #outputId: () => string;
  readonly #killMs: number;
  readonly #listeners = new Set<(status: HostStatus) => void>();
  readonly #previews = previewList();
  #status: HostStatus = { state: "idle" };
  #booting: Promise<Running> | undefined;
  #running: Running | undefined;
  #commands = 0;
  /** Whether a process is about that ignores its end: the container may not answer for it. */
  #isDeaf = false;
  /** Whether the host is degraded because files could not be brought back, and for nothing else. */
  #isBehind = false;
  /** Ends what is on its way when the host is disposed. */
  readonly #over = new AbortController();

  constructor({ page, disk, now = systemClock, outputId, killMs = limits.hostKillMs }: WebContainerHostOptions) {
    this.#page = page;
    this.disk = disk;
    this.#now = now;
    const random = seededRandom(crypto.getRandomValues(new Uint32Array(4)).join(" "));
    this.#outputId = outputId ?? (() => ulid(now(), random));
    this.#killMs = killMs;
  }

  status(): HostStatus {
    return this.#status;
  }

  onStatus(listener: (status: HostStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  previews(): readonly HostPreview[] {
    return this.#previews.now();
  }

  onPreviews(listener: (previews: readonly HostPreview[]) => void): () => void {
    return this.#previews.subscribe(listener);
  }

  async boot({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    signal?.throwIfAborted();
    await this.#ready(signal);
  }

  async shell(command: string, options: ShellOptions = {}): Promise<ShellResult> {
    if (options.sandbox) return { stdout: "", stderr: SANDBOX_REFUSAL, exitCode: EXIT_REFUSED, end: "limit" };
    const stopped: ShellResult = { stdout: "", stderr: "", exitCode: EXIT_STOPPED, end: "aborted" };
    if (options.signal?.aborted) return stopped;
    let running: Running;
    try {
      running = await this.#ready(options.signal);
    } catch (error) {
      if (options.signal?.aborted) return stopped;
      throw error;
    }
    this.#commands += 1;
    try {
      return await this.#run(running, command, options);
    } finally {
      this.#commands -= 1;
    }
  }

  async flush(): Promise<void> {
    if (this.#running === undefined) return;
    await inWords(this.#running.mirror.pull(), this.#patienceMs());
  }

  async restart(): Promise<void> {
    if (this.#running !== undefined) {
      const flushed = this.flush();
      // One that does not answer keeps what it has to itself; a disk that takes nothing more is said before all is lost.
      if (await settledWithin(limits.hostFlushMs, flushed)) await flushed;
      this.#stop(new HostError("disposed", "WebContainer was started anew while this ran."));
      this.#tell({ state: "idle" });
    }
    await this.boot();
  }

  async dispose(): Promise<void> {
    if (this.#status.state === "disposed") return;
    // A container that does not answer must not keep a project from closing.
    await settledWithin(limits.hostFlushMs, this.flush());
    const reason = bootError({ code: "disposed" });
    this.#over.abort(reason);
    this.#stop(reason);
    this.#tell({ state: "disposed" });
    this.#listeners.clear();
  }

  async #ready(signal?: AbortSignal): Promise<Running> {
    if (this.#status.state === "disposed") throw bootError({ code: "disposed" });
    if (this.#running !== undefined && this.#page.isLost()) this.#lose();
    if (this.#running !== undefined) return this.#running;
    this.#booting ??= this.#boot().finally(() => (this.#booting = undefined));
    return beforeAbort(this.#booting, signal);
  }

  async #boot(): Promise<Running> {
    const onPhase = (phase: string): void => this.#tell({ state: "booting", phase });
    onPhase("beginning");
    const endsAt = performance.now() + limits.hostBootMs;
    try {
      const container = await this.#page.take(onPhase, this.#over.signal);
      if (this.#over.signal.aborted) {
        this.#page.giveBack(container);
        throw bootError({ code: "disposed" });
      }
      this.#isDeaf = false;
      const session = new ContainerSession(container);
      const running = { session, mirror: new DiskMirror(this.disk, session, this.#now), leave: this.#joined(session) };
      this.#running = running;
      onPhase("copying the files");
      await this.#mounted(running, endsAt - performance.now());
      this.#tell({ state: "ready" });
      return running;
    } catch (error) {
      this.#stop(bootError({ code: "boot-failed", reason: error }));
      const failure = error instanceof HostError ? error : bootError({ code: "boot-failed", reason: error });
      this.#tell({ state: "failed", code: failure.code, message: failure.message, retry: failure.retry });
      throw failure;
    }
  }

  /** Fills the container, in what is left of the time a start may take. */
  async #mounted({ session, mirror }: Running, milliseconds: number): Promise<void> {
    const timer = setTimeout(
      () => session.end(bootError({ code: "boot-failed", reason: "it did not take the project's files in time" })),
      milliseconds,
    );
    try {
      if (session.workdir !== HOST_ROOT)
        throw new Error(`it put the project at ${session.workdir}, not at ${HOST_ROOT}`);
      await mirror.mount();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Listens to what belongs to a started container; the function returned ends that. */
  #joined(session: ContainerSession): () => void {
    const { container } = session;
    const endings = [
      container.on("server-ready", (port, url) => this.#previews.open({ port, url })),
      container.on("port", (port, type) => {
        if (type === "close") this.#previews.close(port);
      }),
      container.on("error", ({ message }) =>
        this.#degrade(`WebContainer reported an error: ${words(message)}. Restart it if commands misbehave.`),
      ),
      this.#page.onLost(() => this.#lose()),
      onPageHidden(() => {
        if (this.#commands > 0 || this.#previews.now().length > 0) this.flush().catch(() => undefined);
      }),
    ];
    return () => endings.forEach((end) => end());
  }

  async #run({ session, mirror }: Running, command: string, options: ShellOptions): Promise<ShellResult> {
    const cwd = normalizeFsPath(options.cwd ?? HOST_ROOT);
    await inWords(mirror.push(), this.#patienceMs());
    options.onStart?.();
    const outcome = await containerCommand(session, command, { ...options, cwd, killMs: this.#killMs });
    if (outcome.isDeaf) {
      this.#isDeaf = true;
      this.#degrade(
        "A command went on although it was told to end, and takes the processor. Restart WebContainer to end it.",
      );
    }
    if (outcome.end === "host-lost") return this.#lostResult(outcome, session);
    const notes = await this.#broughtBack(options.readOnly ? mirror.putBack() : mirror.pull());
    if (outcome.end === "timeout")
      notes.unshift(`[host] Ended after ${options.timeoutMs ?? limits.shellTimeoutMs} ms, its timeout.`);
    return this.#result(outcome, notes, options.readOnly);
  }

  /** A command whose container went: killed where this page let it go, lost where nobody did. */
  #lostResult(outcome: CommandOutcome, session: ContainerSession): Promise<ShellResult> {
    const end = session.endedBy?.code === "disposed" ? "killed" : "host-lost";
    return this.#result({ ...outcome, end }, [session.endedBy?.message ?? "WebContainer stopped while this ran."]);
  }

  /** What is to be said of a command's files. What they cost is no reason to lose what the command said. */
  async #broughtBack(step: Promise<MirrorReport>): Promise<string[]> {
    try {
      const report = await inWords(step, this.#patienceMs());
      if (this.#isBehind) this.#tell({ state: "ready" });
      return notesOf(report);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const isFirst = this.#status.state === "ready";
      this.#degrade(error.message);
      this.#isBehind = isFirst;
      return [`[host] What this wrote is not on the project's disk yet. ${error.message}`];
    }
  }

  async #result(outcome: CommandOutcome, notes: readonly string[], readOnly = false): Promise<ShellResult> {
    const { output, exitCode, end } = outcome;
    const path = output.isTruncated && !readOnly ? await this.#spilled(outcome) : undefined;
    const truncated = { totalBytes: output.totalBytes, ...(path === undefined ? {} : { path }) };
    return {
      stdout: output.text(path),
      stderr: notes.map((note) => `${note}\n`).join(""),
      exitCode,
      end,
      ...(output.isTruncated ? { truncated } : {}),
    };
  }

  /** Where the whole output was kept; a disk that is full keeps none of it. */
  async #spilled({ output }: CommandOutcome): Promise<string | undefined> {
    const { onDisk, onHost } = spillPaths(this.#outputId());
    try {
      await this.disk.write(onDisk, await output.whole());
      const { path, text } = AGENT_IGNORE_FILE;
      if ((await this.disk.stat(path)).kind === "missing") await this.disk.write(path, text);
      return onHost;
    } catch (error) {
      if (error instanceof PathError) return undefined;
      throw error;
    }
  }

  #patienceMs(): number {
    return this.#isDeaf ? limits.hostFlushMs : limits.hostMirrorMs;
  }

  #degrade(reason: string): void {
    if (this.#running !== undefined) this.#tell({ state: "degraded", reason });
  }

  #lose(): void {
    const error = bootError({ code: "lost" });
    this.#stop(error);
    this.#tell({ state: "failed", code: error.code, message: error.message, retry: error.retry });
  }

  #stop(reason: HostError): void {
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) this.#end(running, reason);
  }

  #end({ session, leave }: Running, reason: HostError): void {
    leave();
    session.end(reason);
    this.#previews.clear();
    this.#page.giveBack(session.container);
  }

  #tell(status: HostStatus): void {
    if (this.#status.state === "disposed") return;
    this.#isBehind = false;
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }
}

/** The promise, or an `AbortError` where the signal is first: what was begun goes on for those that come later. */
function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** A disk that cannot be read or written is the host's failure, in its own words. */
async function inWords<T>(step: Promise<T>, milliseconds: number): Promise<T> {
  try {
    if (await settledWithin(milliseconds, step)) return await step;
    throw new Error("it does not answer; restart it");
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw new HostError(
      "storage",
      `The project's disk and WebContainer could not be brought in step: ${words(error)}.`,
      {
        retry: true,
        cause: error,
      },
    );
  }
}

function notesOf({ conflicts, putBack }: MirrorReport): string[] {
  const notes = conflicts.map(({ path, keptAt }) =>
    keptAt === undefined
      ? `[host] ${HOST_ROOT}${path} was changed on the disk while this ran, and stays although the command deleted it.`
      : `[host] ${HOST_ROOT}${path} was changed on the disk while this ran: that version stays, the command's is ${HOST_ROOT}${keptAt}.`,
  );
  if (putBack > 0)
    notes.push(
      `[host] Nothing may be written: ${putBack} changed ${putBack === 1 ? "file is" : "files are"} as before.`,
    );
  return notes;
}

/** Calls back when the page may be about to go: a last chance to keep what runs in the background wrote. */
function onPageHidden(listener: () => void): () => void {
  // `pagehide` may be too late for anything that takes time; a page that is hidden often goes next.
  const onVisibility = (): void => {
    const { document } = globalThis as unknown as { readonly document?: { readonly visibilityState: string } };
    if (document?.visibilityState === "hidden") listener();
  };
  addEventListener("pagehide", listener);
  addEventListener("visibilitychange", onVisibility);
  return () => {
    removeEventListener("pagehide", listener);
    removeEventListener("visibilitychange", onVisibility);
  };
}
