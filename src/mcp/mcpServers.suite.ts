import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { AuthorizationServer } from "./authorizationServer.suite";
import { sessionEndpoint, statelessEndpoint, type McpEndpoint, type McpServerNotes } from "./mcpServer.suite";

/** The token of `/token/mcp`. */
export const STATIC_TOKEN = "static-token-of-the-tests";

const NEWER = "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";
const OLDER = "authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id";

/** What lets pages of other addresses use what is below a path; `/closed` lets none. */
const CORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  open: cors(NEWER, "Mcp-Session-Id, WWW-Authenticate"),
  sessions: cors(NEWER, "Mcp-Session-Id, WWW-Authenticate"),
  older: cors(OLDER, "Mcp-Session-Id"),
  blind: cors(OLDER, "WWW-Authenticate"),
  secure: cors(NEWER, "WWW-Authenticate"),
  token: cors(NEWER, "WWW-Authenticate"),
  closed: {},
};

export interface McpServers {
  /** `${url}/open/mcp`: the newest protocol · `/sessions/mcp`, `/older/mcp`, `/blind/mcp`: with sessions · `/secure/mcp`: behind a sign-in · `/token/mcp`: behind a token. */
  readonly url: string;
  readonly notes: McpServerNotes;
  readonly authorization: AuthorizationServer;
  /** Every request so far: method, path and headers. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly headers: Headers }[];
  forgetSessions(): void;
  /** Closes the port and every connection, until `start`. */
  shut(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts MCP servers of several kinds, and the server that signs people in to one of them, at one address. */
export async function mcpServers(): Promise<McpServers> {
  const notes: McpServerNotes = { written: [], stopped: 0 };
  const [stateless, sessions] = [statelessEndpoint(notes), sessionEndpoint(notes)];
  const requests: { method: string; path: string; headers: Headers }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const request = requestFrom(incoming, outgoing, url);
    requests.push({ method: request.method, path: new URL(request.url).pathname, headers: request.headers });
    void answer(request).then(
      (response) => send(response, outgoing),
      (error: unknown) => send(new Response(String(error), { status: 500 }), outgoing),
    );
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  let port = 0;
  const start = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await start();
  port = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${port}`;
  const authorization = new AuthorizationServer(url, `${url}/secure/mcp`);

  const answer = async (request: Request): Promise<Response> => {
    const [, kind = "", end] = new URL(request.url).pathname.split("/");
    const isWellKnown = kind === ".well-known" || kind === "as";
    const headers = isWellKnown ? CORS["open"] : CORS[kind];
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: headers ?? {} });
    if (kind === "control") return control(end ?? "");
    const response = (await authorization.answer(request)) ?? (await answerOf(kind, end, request));
    for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
    return response;
  };
  const answerOf = async (kind: string, end: string | undefined, request: Request): Promise<Response> => {
    if (end === "moved") return new Response(null, { status: 307, headers: { location: `/${kind}/mcp` } });
    if (end !== "mcp" || CORS[kind] === undefined) return new Response("nothing here", { status: 404 });
    if (kind === "secure" && !authorization.isAllowed(request))
      return signInWanted(`${url}/.well-known/oauth-protected-resource/secure/mcp`);
    if (kind === "token" && request.headers.get("authorization") !== `Bearer ${STATIC_TOKEN}`) return signInWanted();
    const endpoint: McpEndpoint = ["sessions", "older", "blind"].includes(kind) ? sessions : stateless;
    return await endpoint.answer(request);
  };
  /** What a test in a page cannot do itself. */
  const control = (wish: string): Response => {
    if (wish === "forget") sessions.forget();
    if (wish === "expire") authorization.expire();
    if (wish === "sign-out") authorization.forget();
    return Response.json({ ...notes, ...authorization.asked }, { headers: { "access-control-allow-origin": "*" } });
  };
  const shut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url,
    notes,
    authorization,
    requests,
    forgetSessions: () => sessions.forget(),
    shut,
    start,
    async stop() {
      await Promise.all([stateless.stop(), sessions.stop()]);
      if (server.listening) await shut();
    },
  };
}

function cors(allowed: string, exposed: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": allowed,
    "access-control-expose-headers": exposed,
  };
}

function signInWanted(metadata?: string): Response {
  const where = metadata === undefined ? "" : ` resource_metadata="${metadata}"`;
  return new Response("sign in", { status: 401, headers: { "www-authenticate": `Bearer${where}` } });
}

function requestFrom(incoming: IncomingMessage, outgoing: ServerResponse, origin: string): Request {
  const method = incoming.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
  const stop = new AbortController();
  outgoing.once("close", () => outgoing.writableFinished || stop.abort());
  return new Request(`${origin}${incoming.url ?? "/"}`, {
    method,
    headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
    signal: stop.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
  });
}

function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  // Told at once, so that a stream begins before its first word.
  outgoing.flushHeaders();
  const body = Readable.fromWeb(response.body as WebStream);
  outgoing.on("close", () => body.destroy());
  body.on("error", () => outgoing.destroy());
  body.pipe(outgoing);
}
