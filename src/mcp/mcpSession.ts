import type {
  AuthProvider,
  Client,
  StreamableHTTPClientTransport,
  Tool as ServerTool,
} from "@modelcontextprotocol/client";
import { limits } from "../base";
import type { McpFetch } from "./mcpFetch";

/** `auto`: the newest protocol the server speaks; `handshake`: the older one with sessions, without its newer headers. */
export type McpMode = "auto" | "handshake";

export interface McpSession {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly tools: readonly ServerTool[];
}

export interface McpSessionOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: McpFetch;
  readonly auth: AuthProvider;
  readonly signal: AbortSignal;
  /** The server's list of tools is another by now. */
  readonly toolsChanged: () => void;
}

/** Connects once and lists the tools. @throws whatever the protocol's package throws; nothing stays open then */
export async function openMcpSession(options: McpSessionOptions, mode: McpMode): Promise<McpSession> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { url, headers, requests, auth, signal } = options;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    authProvider: auth,
    fetch: requests.fetch,
    onInsufficientScope: "throw",
    ...(Object.keys(headers).length === 0 ? {} : { requestInit: { headers } }),
  });
  const client = new Client(
    { name: "rootscope", version: "1" },
    {
      versionNegotiation: { mode: mode === "auto" ? "auto" : "legacy" },
      listChanged: { tools: { autoRefresh: false, onChanged: options.toolsChanged } },
    },
  );
  const stop = () => void client.close().catch(() => undefined);
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    const asked = { signal, timeout: limits.mcpConnectMs };
    await client.connect(transport, asked);
    return { client, transport, tools: await listedTools(client, asked) };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A server without tools has none; that is no failure. */
export async function listedTools(
  client: Client,
  options: { readonly signal?: AbortSignal; readonly timeout: number },
): Promise<readonly ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, { ...options, cacheMode: "refresh" });
  return tools.slice(0, limits.mcpTools);
}

/** Ends a session at the server too, where it keeps one. Never throws. */
export async function closeMcpSession({ client, transport }: McpSession): Promise<void> {
  await transport.terminateSession().catch(() => undefined);
  await client.close().catch(() => undefined);
}
