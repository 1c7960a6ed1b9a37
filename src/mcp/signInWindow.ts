/** The window in which a person signs in somewhere else; opened in a click, before it is known where it leads. */
export interface SignInWindow {
  /** The page of our own to which the sign-in comes back (docs/connections.md, section 3). */
  readonly redirectUrl: string;
  /** Leads the window to the sign-in. */
  go(url: string): void;
  close(): void;
}

/** Where our own page says what it was given. Pages of other origins can neither listen nor speak on it. */
export const SIGN_IN_CHANNEL = "rootscope-sign-in";

/**
 * The query our own page was reached with, once it carries the state: what comes with another one is somebody else's.
 * Rejects with the signal's reason when that fires.
 */
export function signInAnswer(state: string, signal: AbortSignal): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
  return new Promise<URLSearchParams>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    channel.addEventListener("message", (event: MessageEvent<unknown>) => {
      const search = (event.data as { readonly search?: unknown } | null)?.search;
      const answer = typeof search === "string" ? new URLSearchParams(search) : undefined;
      if (answer?.get("state") !== state) return;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it is of one origin
      channel.postMessage({ taken: state });
      resolve(answer);
    });
  }).finally(() => channel.close());
}
