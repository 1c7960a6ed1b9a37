import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Tool } from "../tools";
import { createKeyring } from "../secrets";
import { toolCall } from "../testing/runTool";
import { McpConnection } from "./mcpConnection";
import { mcpServers, type McpServers } from "./mcpServers.suite";
import { SIGN_IN_CHANNEL, type SignInWindow } from "./signInWindow";

let servers: McpServers;
beforeAll(async () => void (servers = await mcpServers()));
afterAll(() => servers.stop());
beforeEach(() => {
  servers.authorization.forget();
  Object.assign(servers.authorization, { registers: true, refuses: false });
});

const REDIRECT = "https://page.example/sign-in.html";

/** A window in which a person consents at once; what it is led to, and what the page of our own is reached with. */
function consentingWindow(change: (search: string) => string = (search) => search) {
  const led: string[] = [];
  let closed = 0;
  const window: SignInWindow = {
    redirectUrl: REDIRECT,
    go(url) {
      led.push(url);
      void consent(url, change);
    },
    close: () => void closed++,
  };
  return { window, led, closed: () => closed };
}

async function consent(url: string, change: (search: string) => string): Promise<void> {
  const response = await fetch(url, { redirect: "manual" });
  const { search } = new URL(response.headers.get("location") ?? REDIRECT);
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
  const say = channel.postMessage.bind(channel);
  say({ search: "?state=somebody-elses&code=wrong" });
  say({ search: change(search) });
  setTimeout(() => channel.close(), 100);
}

function secure(options: { clientId?: string } = {}) {
  const keyring = createKeyring();
  const url = `${servers.url}/secure/mcp`;
  return { keyring, connection: new McpConnection({ id: "c7", name: "secure", url, keyring, ...options }) };
}

const never = new AbortController().signal;

async function echo(connection: McpConnection): Promise<unknown> {
  const tools: readonly Tool[] = connection.state.kind === "ready" ? connection.state.tools : [];
  return await tools.find(({ mcp }) => mcp?.tool === "echo")?.execute({ text: "x" }, toolCall());
}

it("asks nobody before a person wants to sign in, then registers, signs in with PKCE and lists the tools", async () => {
  const { connection, keyring } = secure();
  const before = { ...servers.authorization.asked };
  await connection.connect();
  expect(connection.state).toMatchObject({ kind: "needs-sign-in", code: "needs-sign-in" });
  expect(servers.authorization.asked).toEqual(before);

  const person = consentingWindow();
  await connection.signIn(person.window, never);
  expect(connection.state).toMatchObject({ kind: "ready" });
  expect([person.led.length, person.closed()]).toEqual([1, 1]);
  const asked = new URL(person.led[0] ?? "").searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: "code",
    redirect_uri: REDIRECT,
    code_challenge_method: "S256",
    resource: `${servers.url}/secure/mcp`,
    scope: "notes",
  });
  expect(await echo(connection)).toEqual({ content: [{ type: "text", text: "x" }] });

  const token = servers.requests.findLast(({ path }) => path === "/secure/mcp")?.headers.get("authorization") ?? "";
  expect(token).toMatch(/^Bearer access-/);
  expect(keyring.scrub(token)).toBe("Bearer [key removed]");
  expect(JSON.stringify(connection.state)).not.toContain(token.replace("Bearer ", ""));
  await connection.close();
});

it("renews what was signed in without a person, and asks again when that is over too", async () => {
  const { connection } = secure();
  await connection.connect();
  await connection.signIn(consentingWindow().window, never);
  const before = { ...servers.authorization.asked };
  servers.authorization.expire();
  expect(await echo(connection)).toEqual({ content: [{ type: "text", text: "x" }] });
  expect(servers.authorization.asked).toEqual({ ...before, token: before.token + 1, refresh: before.refresh + 1 });
  expect(connection.state.kind).toBe("ready");

  servers.authorization.forget();
  await expect(echo(connection)).rejects.toMatchObject({ code: "needs-sign-in" });
  expect(connection.state.kind).toBe("needs-sign-in");
  expect(servers.authorization.asked.authorize).toBe(before.authorize);
  await connection.signIn(consentingWindow().window, never);
  expect(connection.state.kind).toBe("ready");
  await connection.signOut();
  expect([connection.state.kind, connection.hasToken]).toEqual(["closed", false]);
  await connection.connect();
  expect(connection.state.kind).toBe("needs-sign-in");
  await connection.close();
});

it("uses a client id a person gave where programs are not registered by themselves, and says so where there is none", async () => {
  servers.authorization.registers = false;
  const unknown = secure();
  await unknown.connection.connect();
  await unknown.connection.signIn(consentingWindow().window, never);
  expect(unknown.connection.state).toMatchObject({
    kind: "needs-sign-in",
    code: "sign-in",
    message: expect.stringMatching(/The sign-in server takes no new programs by itself: .* give its client id\.$/),
  });
  const known = secure({ clientId: "known-client" });
  await known.connection.connect();
  await known.connection.signIn(consentingWindow().window, never);
  expect(known.connection.state.kind).toBe("ready");
  await Promise.all([unknown.connection.close(), known.connection.close()]);
});

it("says that a person refused, and takes no code with another state or of another server", async () => {
  const { connection } = secure();
  await connection.connect();
  servers.authorization.refuses = true;
  await connection.signIn(consentingWindow().window, never);
  expect(connection.state).toMatchObject({
    kind: "needs-sign-in",
    code: "sign-in",
    message: "The sign-in came to nothing: it was refused.",
  });
  servers.authorization.refuses = false;
  await connection.signIn(
    consentingWindow((search) => search.replace(/iss=[^&]*/, "iss=https%3A%2F%2Fevil.example")).window,
    never,
  );
  expect(connection.state).toMatchObject({ kind: "needs-sign-in", code: "sign-in" });
  expect(connection.hasToken).toBe(false);
  await connection.close();
});

it("gives up when the person does, and closes the window", async () => {
  const { connection } = secure();
  await connection.connect();
  const stop = new AbortController();
  const person = consentingWindow((search) => search.replace(/state=[^&]*/, "state=another"));
  const signing = connection.signIn(person.window, stop.signal);
  setTimeout(() => stop.abort(), 300);
  await expect(signing).rejects.toMatchObject({ name: "AbortError" });
  expect([person.closed(), connection.state.kind, connection.hasToken]).toEqual([1, "needs-sign-in", false]);
  await connection.close();
});
