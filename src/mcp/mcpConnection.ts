import type { CallToolResult, ProgressCallback, Tool as ServerTool } from "@modelcontextprotocol/client";
import { limits, type JsonObject, type JsonValue } from "../base";
import type { Keyring } from "../secrets";
import { textFromMcp, type Tool, type ToolCall } from "../tools";
import { McpCredentials } from "./mcpCredentials";
import { McpError, type McpErrorCode } from "./mcpError";
import { mcpFailure, type FailurePlace } from "./mcpFailure";
import { mcpFetch, type McpFetch } from "./mcpFetch";
import { closeMcpSession, listedTools, openMcpSession, type McpMode, type McpSession } from "./mcpSession";
import { mcpTools } from "./mcpTools";
import type { SignInWindow } from "./signInWindow";

export interface McpConnectionOptions {
  /** Stays the same for the connection's life; keys are told apart by it. */
  readonly id: string;
  /** What a person calls it; stands in the names of its tools. */
  readonly name: string;
  /** @throws nothing: an address that is none shows as a failure */
  readonly url: string;
  readonly keyring: Keyring;
  /** Sent with every request; no secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientId?: string;
  /** The server's tools that are taken, by its own names; all of them when left out. */
  readonly allowedTools?: readonly string[];
  readonly fetch?: typeof globalThis.fetch;
}

/** Where a connection stands. */
export type McpState =
  | { readonly kind: "closed" | "connecting" }
  | { readonly kind: "ready"; readonly tools: readonly Tool[]; readonly server?: string }
  | { readonly kind: "needs-sign-in" | "failed"; readonly code: McpErrorCode; readonly message: string };

/**
 * One MCP server over streamable HTTP. It is connected once and kept; a session the server has forgotten is begun again, and
 * a server that was gone is asked again at the next call. Whatever goes wrong is a state, and at a call a McpError.
 */
export class McpConnection {
  readonly name: string;
  readonly #options: McpConnectionOptions;
  readonly #credentials: McpCredentials;
  readonly #requests: McpFetch;
  readonly #listeners = new Set<() => void>();
  #state: McpState = { kind: "closed" };
  #session: McpSession | undefined;
  #mode: McpMode = "auto";
  #opening: Promise<McpSession> | undefined;
  #life = new AbortController();
  /** The state to return to when a server that gave no answer gives one again. */
  #lost: McpState | undefined;

  constructor(options: McpConnectionOptions) {
    const { id, name, url, keyring, clientId, fetch } = options;
    this.name = name;
    this.#options = options;
    this.#credentials = new McpCredentials({ url, keyring, use: `mcp ${id}`, clientId });
    this.#requests = mcpFetch({ fetch, heard: (isAnswered) => this.#heard(isAnswered) });
  }

  get state(): McpState {
    return this.#state;
  }

  get hasToken(): boolean {
    return this.#credentials.hasToken;
  }

  /** Called after each change of state, until the returned function is. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Connects unless it is connected, and ends in a state; never throws. */
  async connect(): Promise<void> {
    await this.#opened().catch(() => undefined);
  }

  /** Ends the session at the server and stops what runs. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#life.abort(new McpError("gone", `The connection ${this.name} was closed.`));
    this.#life = new AbortController();
    this.#session = undefined;
    this.#opening = undefined;
    this.#lost = undefined;
    this.#become({ kind: "closed" });
    if (session !== undefined) await closeMcpSession(session);
  }

  /** Takes a token instead of a sign-in and connects anew; an empty one forgets what there is. */
  async setToken(token: string): Promise<void> {
    await this.close();
    this.#credentials.setToken(token);
    await this.connect();
  }

  /** Forgets token and sign-in. */
  async signOut(): Promise<void> {
    await this.close();
    this.#credentials.forget();
  }

  /**
   * Signs in through the window and connects; ends in a state.
   * @throws the signal's reason when a person gives up
   */
  async signIn(window: SignInWindow, signal: AbortSignal): Promise<void> {
    try {
      await this.#credentials.signIn(window, this.#requests, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#fail(await mcpFailure(error, this.#place()), "needs-sign-in");
      return;
    }
    await this.close();
    await this.connect();
  }

  async #opened(): Promise<McpSession> {
    if (this.#lost !== undefined) this.#drop();
    if (this.#session !== undefined) return this.#session;
    this.#opening ??= this.#open(this.#life.signal);
    const opening = this.#opening;
    try {
      return await opening;
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  /** Lets a session go without a word to a server that would not hear it. */
  #drop(): void {
    void this.#session?.client.close().catch(() => undefined);
    this.#session = undefined;
    this.#lost = undefined;
  }

  async #open(life: AbortSignal): Promise<McpSession> {
    this.#become({ kind: "connecting" });
    try {
      assertAddress(this.#options.url);
      const session = await this.#openInSomeMode(life);
      if (life.aborted) {
        void closeMcpSession(session);
        throw life.reason;
      }
      this.#session = session;
      this.#become(this.#readyState(session.tools));
      return session;
    } catch (error) {
      if (life.aborted) throw life.reason;
      const failure = await mcpFailure(error, this.#place());
      if (!life.aborted) this.#fail(failure);
      throw failure;
    }
  }

  /**
   * The newer protocol has request headers of its own, which a server of the older one may not allow a page to send: where
   * that is why it could not be read, the older handshake is tried.
   */
  async #openInSomeMode(signal: AbortSignal): Promise<McpSession> {
    const { url, headers = {} } = this.#options;
    const auth = this.#credentials.forRequests(this.#requests);
    const options = { url, headers, requests: this.#requests, auth, signal, toolsChanged: () => void this.#relist() };
    try {
      return await openMcpSession(options, this.#mode);
    } catch (error) {
      if (this.#mode !== "auto" || pageOrigin() === undefined) throw error;
      const failure = await mcpFailure(error, this.#place());
      if (failure.code !== "cors") throw failure;
      try {
        const session = await openMcpSession(options, "handshake");
        this.#mode = "handshake";
        return session;
      } catch (second) {
        const later = await mcpFailure(second, this.#place());
        throw later.code === "cors" ? failure : later;
      }
    }
  }

  readonly #callTool = async (toolName: string, input: JsonObject, call: ToolCall): Promise<JsonValue> => {
    const life = this.#life.signal;
    const signal = AbortSignal.any([call.signal, life]);
    try {
      const result = await this.#request(toolName, input, { ...call, signal });
      return resultFrom(toolName, result);
    } catch (error) {
      call.signal.throwIfAborted();
      if (life.aborted) throw life.reason;
      const failure = await mcpFailure(error, this.#place());
      if (failure.code === "needs-sign-in") {
        this.#drop();
        this.#fail(failure);
      }
      throw failure;
    }
  };

  async #request(toolName: string, input: JsonObject, call: ToolCall): Promise<CallToolResult> {
    const session = await this.#opened();
    const ask = ({ client }: McpSession) =>
      client.callTool(
        { name: toolName, arguments: input },
        {
          signal: call.signal,
          timeout: limits.mcpCallMs,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: limits.mcpCallTotalMs,
          onprogress: progressReporter(call),
        },
      );
    try {
      return await ask(session);
    } catch (error) {
      // A server that has forgotten the session has not looked at the call: it is made again in a new one.
      if (!isForgotten(error, session) || call.signal.aborted) throw error;
      if (this.#session === session) this.#drop();
      return await ask(await this.#opened());
    }
  }

  async #relist(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    try {
      const tools = await listedTools(session.client, { timeout: limits.mcpConnectMs });
      if (this.#session !== session) return;
      this.#session = { ...session, tools };
      this.#become(this.#readyState(tools));
    } catch {
      // The tools stay as they were; a call says what is wrong.
    }
  }

  #readyState(listed: readonly ServerTool[]): McpState {
    const { allowedTools } = this.#options;
    const taken = listed.filter(({ name }) => allowedTools?.includes(name) ?? true);
    const server = this.#session?.client.getServerVersion();
    return {
      kind: "ready",
      tools: mcpTools(this.name, taken, this.#callTool),
      ...(server === undefined ? {} : { server: [server.title ?? server.name, server.version].join(" ") }),
    };
  }

  /** A server that stops answering shows at once, and so does one that answers again. */
  #heard(isAnswered: boolean): void {
    if (isAnswered && this.#lost !== undefined) {
      const before = this.#lost;
      this.#lost = undefined;
      this.#become(before);
    } else if (!isAnswered && this.#state.kind === "ready") {
      this.#lost = this.#state;
      void this.#tellLoss(this.#life.signal);
    }
  }

  async #tellLoss(life: AbortSignal): Promise<void> {
    const failure = await mcpFailure(this.#requests.unanswered()?.error, this.#place());
    if (this.#lost !== undefined && !life.aborted) this.#fail(failure);
  }

  #fail(
    { code, message }: McpError,
    kind: "needs-sign-in" | "failed" = code === "needs-sign-in" ? code : "failed",
  ): void {
    this.#become({ kind, code, message: this.#options.keyring.scrub(message) });
  }

  #become(state: McpState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #place(): FailurePlace {
    const { url, fetch } = this.#options;
    return { url, requests: this.#requests, fetch, pageOrigin: pageOrigin() };
  }
}

function assertAddress(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new McpError(
      "bad-address",
      `Not an address of a server: ${text}. It starts with https:// and holds no password.`,
    );
  }
}

/** What a log keeps of a result; a tool that says it did not work fails the call. */
function resultFrom(toolName: string, result: CallToolResult): JsonValue {
  const { content, structuredContent, isError } = JSON.parse(JSON.stringify(result)) as {
    readonly content?: JsonValue;
    readonly structuredContent?: JsonValue;
    readonly isError?: boolean;
  };
  const output = { content: content ?? [], ...(structuredContent === undefined ? {} : { structuredContent }) };
  if (isError !== true) return output;
  const told = textFromMcp(output) ?? "";
  const text =
    typeof told === "string" ? told : told.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
  throw new McpError("tool-failed", text === "" ? `${toolName} failed and does not say why.` : text);
}

function isForgotten(error: unknown, { transport }: McpSession): boolean {
  const { status } = error as { readonly status?: unknown };
  return transport.sessionId !== undefined && (status === 404 || status === 400);
}

/** Progress as partial results, not more often than a person can read. */
function progressReporter(call: ToolCall): ProgressCallback {
  let toldAt = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - toldAt < limits.mcpProgressMs) return;
    toldAt = now;
    call.report({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  };
}

function pageOrigin(): string | undefined {
  return (globalThis as { location?: { readonly origin: string } }).location?.origin;
}
