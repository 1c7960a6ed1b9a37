import type * as client from "@webcontainer/api";
import type { WebContainer } from "@webcontainer/api";
import { limits } from "../../base";
import { HOST_ROOT } from "../host";
import { bootError } from "./bootFailure";
import { FrameWatch } from "./frameWatch";

/** What a page gives; a test gives its own. */
export interface PageParts {
  /** Loads the vendor's client, a chunk of its own. */
  readonly loadClient: () => Promise<typeof client>;
  readonly isSecure: () => boolean;
  readonly isIsolated: () => boolean;
  /** Milliseconds from the frame's load to its first word. */
  readonly silenceMs: number;
  /** Milliseconds the whole start may take. */
  readonly bootMs: number;
}

/**
 * The one WebContainer a page may have: made once for the page, and shared by all its projects, because the vendor's client
 * keeps a frame and a pending start of its own that no second one can be rid of.
 */
export interface WebContainerPage {
  /**
   * Starts the container and takes it. Ends within `limits.hostBootMs`; called again, it goes on with the same start.
   * `onPhase` is told in words how far it is. A start that is no longer wanted goes on for whoever comes next.
   * @throws HostError · the signal's reason once it fires
   */
  take(onPhase: (phase: string) => void, signal?: AbortSignal): Promise<WebContainer>;
  /** Tears the container down, so that another may be taken. */
  giveBack(container: WebContainer): void;
  /** Calls back when the frame is loaded anew; the function returned ends that. */
  onLost(listener: () => void): () => void;
  /** Whether what ran in the frame is gone for good: the client keeps to the first it has spoken with. */
  isLost(): boolean;
}

export function webContainerPage(parts: Partial<PageParts> = {}): WebContainerPage {
  return new Page({
    loadClient: () => import("@webcontainer/api"),
    isSecure: () => isSecureContext,
    isIsolated: () => crossOriginIsolated,
    silenceMs: limits.hostSilenceMs,
    bootMs: limits.hostBootMs,
    ...parts,
  });
}

class Page implements WebContainerPage {
  readonly #parts: PageParts;
  #watch: FrameWatch | undefined;
  /** The start that was asked for and that nobody has taken yet. */
  #pending: Promise<WebContainer> | undefined;
  #isTaken = false;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  async take(onPhase: (phase: string) => void, signal?: AbortSignal): Promise<WebContainer> {
    if (!this.#parts.isSecure()) throw bootError({ code: "not-secure" });
    if (!this.#parts.isIsolated()) throw bootError({ code: "not-isolated" });
    if (this.isLost()) throw bootError({ code: "lost" });
    if (this.#isTaken) throw bootError({ code: "other-project" });
    this.#isTaken = true;
    try {
      const container = await this.#started(onPhase, signal);
      this.#pending = undefined;
      return container;
    } catch (error) {
      this.#isTaken = false;
      throw error;
    }
  }

  giveBack(container: WebContainer): void {
    this.#isTaken = false;
    try {
      container.teardown();
    } catch {
      // It was torn down already: that is what was asked.
    }
  }

  onLost(listener: () => void): () => void {
    return this.#watch?.onGreeting(listener) ?? (() => undefined);
  }

  isLost(): boolean {
    return this.#watch !== undefined && (this.#watch.isGone || this.#watch.greetings > 1);
  }

  async #started(onPhase: (phase: string) => void, signal?: AbortSignal): Promise<WebContainer> {
    const { loadClient, silenceMs, bootMs } = this.#parts;
    const watch = (this.#watch ??= new FrameWatch());
    return firstOf<WebContainer>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(bootError({ code: "boot-timeout", address: watch.address, waitedMs: bootMs })),
        bootMs,
      );
      let isOver = false;
      const onAbort = (): void => reject(signal?.reason);
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      const endings = [
        () => clearTimeout(timer),
        () => signal?.removeEventListener("abort", onAbort),
        watch.onGreeting(() => onPhase("starting Node")),
      ];
      const start = async (): Promise<void> => {
        onPhase("loading the client");
        const api = await loadClient().catch(() => Promise.reject(bootError({ code: "no-client" })));
        onPhase("reaching WebContainer");
        const pending = this.#asked(api, watch);
        pending.then(resolve, (reason: unknown) => reject(bootError({ code: "boot-failed", reason })));
        await watch.find();
        if (isOver) return;
        const silent = (): void =>
          reject(bootError({ code: "unreachable", address: watch.address, waitedMs: silenceMs }));
        endings.push(watch.onSilence(silenceMs, silent));
      };
      start().catch(reject);
      return () => {
        isOver = true;
        endings.forEach((end) => end());
      };
    });
  }

  /** The client's promise of a container: the one it already works on, with its frame loaded anew where it was silent. */
  #asked(api: typeof client, watch: FrameWatch): Promise<WebContainer> {
    if (this.#pending !== undefined) {
      if (watch.greetings === 0) watch.reload();
      return this.#pending;
    }
    const workdirName = HOST_ROOT.slice(HOST_ROOT.lastIndexOf("/") + 1);
    const pending = api.WebContainer.boot({ workdirName, coep: "require-corp" });
    this.#pending = pending;
    pending.catch(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    return pending;
  }
}

/** Settles with the first that `begin` says; what `begin` returned ends its waiting then. */
function firstOf<T>(begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void): Promise<T> {
  let end = (): void => undefined;
  return new Promise<T>((resolve, reject) => {
    end = begin(resolve, reject);
  }).finally(() => end());
}
