import { expect, inject, it } from "vitest";
import { McpConnection } from "./mcp";
import type { PageMcpServersUrl } from "./mcp/pageMcpServers.suite";
import { createKeyring } from "./secrets";
import { toolCall } from "./testing/runTool";
import { openSignInWindow } from "./views/connections/openSignInWindow";

const url: PageMcpServersUrl = inject("mcpUrl");

/** What the test's server has done so far; `wish` makes it forget something first. */
const control = async (wish: string) =>
  (await (await fetch(`${url}/control/${wish}`)).json()) as Readonly<Record<string, number>>;

it("signs in through a window that comes back to a page of ours, and renews what runs out without one", async () => {
  const connection = new McpConnection({
    id: "secure",
    name: "secure",
    url: `${url}/secure/mcp`,
    keyring: createKeyring(),
  });
  const echo = async (text: string) => {
    const tools = connection.state.kind === "ready" ? connection.state.tools : [];
    return await tools.find(({ mcp }) => mcp?.tool === "echo")?.execute({ text }, toolCall());
  };
  await connection.connect();
  expect(connection.state).toMatchObject({ kind: "needs-sign-in" });
  const before = await control("look");
  const window = openSignInWindow();
  if (window === undefined) throw new Error("the browser opened no window");
  await connection.signIn(window, new AbortController().signal);
  expect(connection.state).toMatchObject({ kind: "ready" });
  expect(await echo("signed in")).toEqual({ content: [{ type: "text", text: "signed in" }] });
  await control("expire");
  expect(await echo("renewed")).toEqual({ content: [{ type: "text", text: "renewed" }] });
  const after = await control("look");
  expect(["register", "authorize", "token", "refresh"].map((kind) => (after[kind] ?? 0) - (before[kind] ?? 0))).toEqual(
    [1, 1, 2, 1],
  );
  await connection.close();
});

it("gives up when the person does", async () => {
  const connection = new McpConnection({ id: "b", name: "b", url: `${url}/secure/mcp`, keyring: createKeyring() });
  await connection.connect();
  const window = openSignInWindow();
  if (window === undefined) throw new Error("the browser opened no window");
  const stop = new AbortController();
  const signing = connection.signIn({ ...window, go: () => stop.abort() }, stop.signal);
  await expect(signing).rejects.toMatchObject({ name: "AbortError" });
  expect(connection.state.kind).toBe("needs-sign-in");
  await connection.close();
});
