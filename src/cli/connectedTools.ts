import type { ConnectionDefinition, Keyring, Tool } from "../index";
import { McpConnection } from "../mcp";
import type { Terminal } from "./terminal";

export interface ConnectedTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/**
 * The tools of an agent's connections, each connected now. A connection that wants a token has it from the environment:
 * `MCP_OAUTH_<NAME>_ACCESS_TOKEN`. One that cannot be had is told of and left out.
 */
export async function connectedTools(
  definitions: readonly ConnectionDefinition[],
  terminal: Terminal,
  keyring: Keyring,
): Promise<ConnectedTools> {
  const enabled = definitions.filter((definition) => definition.enabled !== false);
  const connections = await Promise.all(enabled.map((definition) => connected(definition, terminal, keyring)));
  const tools: Tool[] = [];
  for (const { name, state } of connections) {
    if (state.kind === "ready") tools.push(...state.tools);
    else if ("message" in state) terminal.note(`The connection ${name} is left out: ${state.message}\n`);
  }
  return { tools, close: async () => void (await Promise.all(connections.map((each) => each.close()))) };
}

async function connected(
  { name, url, headers, tools, auth = "none" }: ConnectionDefinition,
  terminal: Terminal,
  keyring: Keyring,
): Promise<McpConnection> {
  const connection = new McpConnection({
    id: name,
    name,
    url,
    keyring,
    ...(headers === undefined ? {} : { headers }),
    ...(tools === undefined ? {} : { allowedTools: tools }),
  });
  const token = auth === "none" ? undefined : terminal.environment[tokenVariable(name)];
  if (token === undefined) await connection.connect();
  else await connection.setToken(token);
  return connection;
}

/** The variable that holds the token of a connection. */
function tokenVariable(name: string): string {
  return `MCP_OAUTH_${name.toUpperCase().replaceAll(/\W/g, "_")}_ACCESS_TOKEN`;
}
