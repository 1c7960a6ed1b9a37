import { limits } from "../base";
import type { McpConnection } from "../mcp";
import type { ModelSettings } from "../model";
import { webFetchTool, webSearchTool } from "../tools";
import type { ConnectionRecord } from "./connectionRecord";
import type { ConnectionsStore, ConnectionView, HarnessTools } from "./connectionsState";
import { LiveConnections } from "./liveConnections";
import { webSearchSource } from "./webSearchSource";
import type { WorkbenchCore } from "./workbenchCore";

export type ConnectionsNeeds = Pick<WorkbenchCore, "services" | "notices" | "project">;

/** What opens connections, shows where they stand, and makes tools of them; loaded when it is first needed. */
export class ConnectionsDriver {
  readonly #needs: ConnectionsNeeds;
  readonly #store: ConnectionsStore;
  readonly #live: LiveConnections;
  readonly #signingIn = new Map<string, AbortController>();
  /** What was said last of a connection whose tools a run had to do without. */
  readonly #told = new Map<string, string>();

  constructor(needs: ConnectionsNeeds, store: ConnectionsStore) {
    this.#needs = needs;
    this.#store = store;
    this.#live = new LiveConnections(needs.services.keyring, () => this.#show());
  }

  get(id: string): McpConnection | undefined {
    return this.#live.get(id);
  }

  /** Opens and closes what the project's document says by now. */
  follow(): void {
    this.#live.follow(this.#records());
    this.#show();
  }

  async signIn(id: string): Promise<void> {
    const { services, notices } = this.#needs;
    const connection = this.#live.get(id);
    if (connection === undefined || this.#signingIn.has(id)) return;
    const window = services.openSignInWindow?.();
    if (window === undefined) {
      const text = "The browser kept the sign-in's window shut: allow pop-ups for this page and sign in again.";
      notices.getState().push({ tone: "warn", text });
      return;
    }
    const stop = new AbortController();
    this.#signingIn.set(id, stop);
    this.#show();
    // Given up: it stands as it was.
    await connection.signIn(window, stop.signal).catch(() => undefined);
    this.#signingIn.delete(id);
    this.#show();
  }

  stopSignIn(id: string): void {
    this.#signingIn.get(id)?.abort();
  }

  async currentTools(settings?: ModelSettings): Promise<HarnessTools> {
    const { services, project } = this.#needs;
    const endpoint = project.getState().webSearch?.endpoint;
    const source = await webSearchSource({ ...(settings && { settings }), endpoint, services });
    const shown = { name: source.name, ...(source.fixture === true ? { fixture: true as const } : {}) };
    this.#store.setState(({ webSearch }) => ({ webSearch: { ...webSearch, source: shown } }));
    return { webFetch: [webFetchTool()], webSearch: [webSearchTool(source)], mcp: this.#live.tools() };
  }

  async harnessTools(settings: ModelSettings): Promise<HarnessTools> {
    await inTime(this.#live.settled());
    this.#tellMissing();
    return await this.currentTools(settings);
  }

  dispose(): void {
    for (const stop of this.#signingIn.values()) stop.abort();
    this.#live.closeAll();
  }

  #records(): readonly ConnectionRecord[] {
    return this.#needs.project.getState().connections ?? [];
  }

  #show(): void {
    const connections = this.#records().map((record) =>
      viewFrom(record, this.#live.get(record.id), this.#signingIn.has(record.id)),
    );
    this.#store.setState({ connections });
  }

  #tellMissing(): void {
    for (const { id, name, enabled, status, message } of this.#store.getState().connections) {
      const missing = enabled && status !== "ready" ? (message ?? "it has not answered yet.") : "";
      if (missing !== "" && this.#told.get(id) !== missing) {
        const text = `The run goes without the tools of ${name}: ${missing}`;
        this.#needs.notices.getState().push({ tone: "warn", text });
      }
      this.#told.set(id, missing);
    }
  }
}

function viewFrom(
  record: ConnectionRecord,
  connection: McpConnection | undefined,
  isSigningIn: boolean,
): ConnectionView {
  const state = connection?.state ?? { kind: "closed" as const };
  const status = !record.enabled ? "off" : state.kind === "closed" ? "connecting" : state.kind;
  const tools = record.enabled && state.kind === "ready" ? state.tools : [];
  return {
    ...record,
    status: isSigningIn ? "signing-in" : status,
    ...("message" in state && record.enabled ? { message: state.message } : {}),
    ...(state.kind === "ready" && state.server !== undefined ? { server: state.server } : {}),
    tools: tools.map(({ name, mcp, description, effect, inputSchema }) => {
      return { name, tool: mcp?.tool ?? name, description, effect, inputSchema };
    }),
    hasToken: connection?.hasToken ?? false,
  };
}

/** A server that takes its time does not hold up a run for long. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limits.mcpRunWaitMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
