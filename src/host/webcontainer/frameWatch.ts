/** Looks made for the frame before it is taken for one that was there already; the client adds it within a few. */
const LOOKS = 20;

/** What is used of the hidden frame; typed here because this folder is built without a DOM. */
export interface ClientFrame {
  src: string;
  readonly isConnected: boolean;
  readonly contentWindow: unknown;
  addEventListener(type: "load", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "load", listener: () => void): void;
}

interface PageDocument {
  querySelectorAll(selector: string): Iterable<ClientFrame>;
}

/**
 * Watches the hidden frame that the vendor's client adds: it never says that it failed, so what is known of it is that it
 * loaded (an error page loads, too) and whether it spoke.
 */
export class FrameWatch {
  #frame: ClientFrame | undefined;
  #greetings = 0;
  readonly #listeners = new Set<() => void>();

  constructor() {
    // Ahead of the client's own listener: the first word of the frame is counted before anything comes of it.
    addEventListener("message", (event: MessageEvent<unknown>) => {
      if (this.#frame === undefined || event.source !== this.#frame.contentWindow) return;
      if ((event.data as { readonly type?: unknown } | null)?.type !== "init") return;
      this.#greetings += 1;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Times the frame said that it is there: twice means that what ran in it is gone. */
  get greetings(): number {
    return this.#greetings;
  }

  get isGone(): boolean {
    return this.#frame !== undefined && !this.#frame.isConnected;
  }

  /** Where the frame is loaded from, in a few words for a person. */
  get address(): string {
    return this.#frame === undefined ? "its server" : new URL(this.#frame.src).host;
  }

  /** Calls back at every greeting; the function returned ends that. */
  onGreeting(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Finds the frame the client is about to add, before it can have loaded. */
  async find(): Promise<void> {
    const page = (globalThis as unknown as { readonly document?: PageDocument }).document;
    for (let look = 0; look < LOOKS && this.#frame === undefined; look++) {
      for (const frame of page?.querySelectorAll("iframe") ?? []) {
        if (/^https?:\/\/[^/]+\/headless\?/.test(frame.src)) this.#frame = frame;
      }
      await Promise.resolve();
    }
  }

  /** Loads the frame once more; what waits for its first word goes on waiting. */
  reload(): void {
    const frame = this.#frame;
    // Assigning an address loads it anew, even the same.
    if (frame !== undefined) Object.assign(frame, { src: frame.src });
  }

  /** Calls back once: `silenceMs` after the frame loaded without a word. */
  onSilence(silenceMs: number, listener: () => void): () => void {
    const frame = this.#frame;
    if (frame === undefined || this.#greetings > 0) return () => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onLoad = (): void => {
      timer ??= setTimeout(() => {
        if (this.#greetings === 0) listener();
      }, silenceMs);
    };
    frame.addEventListener("load", onLoad);
    return () => {
      frame.removeEventListener("load", onLoad);
      clearTimeout(timer);
    };
  }
}
