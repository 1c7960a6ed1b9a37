import { addressRefusal } from "../base";
import { McpError } from "./mcpError";

/** The requests of one connection, and what became of the last one. */
export interface McpFetch {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** The last request that got no answer, until one gets one again. */
  readonly unanswered: () => { readonly url: string; readonly error: unknown } | undefined;
  /** Whether the server began a session and this page was not shown its id. */
  readonly lacksSessionId: () => boolean;
}

export interface McpFetchOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called at each answer, and each time there is none. */
  readonly heard: (isAnswered: boolean) => void;
}

/** `fetch` without cookies and referrer, that sends nothing to an address the page's policy keeps it from. */
export function mcpFetch({ fetch = (input, init) => globalThis.fetch(input, init), heard }: McpFetchOptions): McpFetch {
  let unanswered: { readonly url: string; readonly error: unknown } | undefined;
  let lacksSessionId = false;
  return {
    unanswered: () => unanswered,
    lacksSessionId: () => lacksSessionId,
    async fetch(input, init) {
      const url = String(input);
      const refusal = addressRefusal(url);
      if (refusal !== undefined) throw new McpError("blocked", `${refusal.message} ${refusal.fix}`);
      try {
        const response = await fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer" });
        unanswered = undefined;
        if (beginsSession(init)) lacksSessionId = response.ok && !response.headers.has("mcp-session-id");
        heard(true);
        return response;
      } catch (error) {
        if (init?.signal?.aborted !== true) {
          unanswered = { url, error };
          heard(false);
        }
        throw error;
      }
    },
  };
}

function beginsSession(init: RequestInit | undefined): boolean {
  return typeof init?.body === "string" && init.body.includes('"method":"initialize"');
}
