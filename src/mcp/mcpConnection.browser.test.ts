import { afterEach, describe, expect, inject, it } from "vitest";
import type { JsonObject } from "../base";
import { createKeyring } from "../secrets";
import { toolCall } from "../testing/runTool";
import { McpConnection } from "./mcpConnection";
import type { PageMcpServersUrl } from "./pageMcpServers.suite";

const url: PageMcpServersUrl = inject("mcpUrl");
const open: McpConnection[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((made) => made.close()))));

async function connected(path: string): Promise<McpConnection> {
  const made = new McpConnection({ id: path, name: "notes", url: `${url}${path}`, keyring: createKeyring() });
  open.push(made);
  await made.connect();
  return made;
}

async function called(connection: McpConnection, name: string, input: JsonObject): Promise<unknown> {
  const tools = connection.state.kind === "ready" ? connection.state.tools : [];
  return await tools.find(({ mcp }) => mcp?.tool === name)?.execute(input, toolCall());
}

const control = async (wish: string) =>
  (await (await fetch(`${url}/control/${wish}`)).json()) as Record<string, number>;

describe("a connection of a page", () => {
  it.each([
    ["speaks the newest protocol", "/open/mcp"],
    ["speaks the protocol with sessions", "/sessions/mcp"],
    ["falls back to the older one where its headers are not allowed", "/older/mcp"],
  ])("%s", async (_title, path) => {
    const notes = await connected(path);
    expect(notes.state).toMatchObject({ kind: "ready", server: "test-server 1.2.3" });
    expect(await called(notes, "echo", { text: "from a page" })).toEqual({
      content: [{ type: "text", text: "from a page" }],
    });
    expect(await called(notes, "table", {})).toEqual({ content: [], structuredContent: { rows: [1, 2, 3] } });
  });

  it("begins a new session when the server has forgotten the old one", async () => {
    const notes = await connected("/sessions/mcp");
    await control("forget");
    expect(await called(notes, "echo", { text: "again" })).toEqual({ content: [{ type: "text", text: "again" }] });
  });

  it("says which headers a server must send that lets no page read its answers", async () => {
    const notes = await connected("/closed/mcp");
    expect(notes.state).toEqual({
      kind: "failed",
      code: "cors",
      message:
        `${url} answers, but does not let this page read its answer (CORS). The server must send ` +
        `Access-Control-Allow-Origin: ${location.origin}; allow the methods GET, POST and DELETE and the request headers ` +
        "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version and mcp-session-id; and " +
        "expose Mcp-Session-Id and WWW-Authenticate.",
    });
  });

  it("says that the address is another one, where that is all a page is let see", async () => {
    const notes = await connected("/open/moved");
    expect(notes.state).toEqual({
      kind: "failed",
      code: "not-mcp",
      message: `${url}/open/moved redirects to another address: use that one. Often it differs by a / at its end, or by https.`,
    });
  });

  it("says that the session's id is kept from the page", async () => {
    const notes = await connected("/blind/mcp");
    expect(notes.state).toEqual({
      kind: "failed",
      code: "session",
      message:
        `${url} begins a session and then does not know this page (400). It must let the page read the session's id: ` +
        "Access-Control-Expose-Headers: Mcp-Session-Id.",
    });
  });

  it("sends nothing to an address the page's policy keeps it from", async () => {
    const notes = new McpConnection({ id: "x", name: "x", url: "http://192.168.0.9/mcp", keyring: createKeyring() });
    await notes.connect();
    expect(notes.state).toMatchObject({ kind: "failed", code: "blocked" });
  });
});
