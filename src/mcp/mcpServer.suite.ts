import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  ProtocolError,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** What one server's tools have seen, for tests to look at. */
export interface McpServerNotes {
  readonly written: string[];
  /** Calls of `slow` that were told to stop. */
  stopped: number;
}

/** A server made with the protocol's own package, with a tool for each thing a client must cope with. */
export function mcpServer(notes: McpServerNotes): McpServer {
  const server = new McpServer({ name: "test-server", version: "1.2.3" });
  const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  const withText = fromJsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string", description: "Any text." } },
    required: ["text"],
  });
  server.registerTool(
    "echo",
    { title: "Echo", description: "Says it again.", inputSchema: withText, annotations: { readOnlyHint: true } },
    async ({ text: words }) => text(words),
  );
  server.registerTool(
    "write_note",
    { description: "Writes a note.", inputSchema: withText },
    async ({ text: words }) => {
      notes.written.push(words);
      return text("written");
    },
  );
  server.registerTool("Read", { description: "Looks like a native.", inputSchema: withText }, async () =>
    text("not the native"),
  );
  server.registerTool("picture", { description: "A picture.", annotations: { readOnlyHint: true } }, async () => ({
    content: [
      { type: "text", text: "one pixel" },
      { type: "image", data: PIXEL, mimeType: "image/png" },
      { type: "resource_link", name: "More", uri: "https://more.example/" },
      { type: "resource", resource: { uri: "note://1", text: "inside" } },
    ],
  }));
  server.registerTool(
    "table",
    {
      description: "Figures.",
      annotations: { readOnlyHint: true },
      outputSchema: fromJsonSchema<{ rows: number[] }>({
        type: "object",
        properties: { rows: { type: "array", items: { type: "number" } } },
        required: ["rows"],
      }),
    },
    async () => ({ content: [], structuredContent: { rows: [1, 2, 3] } }),
  );
  server.registerTool("fail", { description: "Fails in words." }, async () => ({
    ...text("there is no such note"),
    isError: true,
  }));
  server.registerTool("explode", { description: "Fails by the protocol." }, async () => {
    throw new ProtocolError(-32_603, "the server lost its mind");
  });
  server.registerTool(
    "slow",
    { description: "Takes its time.", annotations: { readOnlyHint: true } },
    async (context) => {
      const { _meta, signal, notify } = context.mcpReq;
      for (let done = 1; done <= 100; done++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (signal.aborted) {
          notes.stopped++;
          return text("stopped");
        }
        const progressToken = _meta?.progressToken;
        if (progressToken === undefined) continue;
        const params = { progressToken, progress: done, total: 100, message: `step ${done}` };
        await notify({ method: "notifications/progress", params });
      }
      return text("done");
    },
  );
  server.registerTool("grow", { description: "Adds a tool." }, async () => {
    server.registerTool("grown", { description: "Was not there before." }, async () => text("grown"));
    return text("added");
  });
  return server;
}

/** Something that answers requests at one address. */
export interface McpEndpoint {
  answer(request: Request): Promise<Response>;
  /** Forgets every session, as a server does that was restarted. */
  forget(): void;
  stop(): Promise<void>;
}

/** The newest protocol, without sessions; older clients are served too. */
export function statelessEndpoint(notes: McpServerNotes): McpEndpoint {
  const handler = createMcpHandler(() => mcpServer(notes));
  return { answer: (request) => handler.fetch(request), forget: () => undefined, stop: () => handler.close() };
}

/** The protocol of 2025: each client has a session, known by the header `Mcp-Session-Id`. */
export function sessionEndpoint(notes: McpServerNotes): McpEndpoint {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcpServer(notes).connect(transport);
    return transport;
  };
  return {
    async answer(request) {
      const id = request.headers.get("mcp-session-id");
      const known = id === null ? undefined : sessions.get(id);
      if (known !== undefined) return await known.handleRequest(request);
      if (id !== null) return Response.json(problem("Session not found"), { status: 404 });
      const message = request.method === "POST" ? ((await request.clone().json()) as { method?: string }) : {};
      if (message.method !== "initialize")
        return Response.json(problem("Mcp-Session-Id header is required"), { status: 400 });
      return await (await begin()).handleRequest(request);
    },
    forget: () => sessions.clear(),
    async stop() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
    },
  };
}

function problem(message: string): object {
  return { jsonrpc: "2.0", error: { code: -32_000, message }, id: null };
}
