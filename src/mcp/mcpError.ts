/**
 * `bad-address`: no address of a server · `blocked`: the page's own policy, nothing was sent · `network`: no answer · `cors`: an answer this page may not read ·
 * `needs-sign-in` · `refused`: signed in, and not allowed · `http-status` · `not-mcp`: something else answers there ·
 * `session`: sessions this page is not let see · `timeout` · `protocol`: the server's own words · `tool-failed`: the tool
 * says that it did not work · `gone`: the connection was closed or taken off the list · `sign-in`: a sign-in came to nothing.
 */
export type McpErrorCode =
  | "bad-address"
  | "blocked"
  | "network"
  | "cors"
  | "needs-sign-in"
  | "refused"
  | "http-status"
  | "not-mcp"
  | "session"
  | "timeout"
  | "protocol"
  | "tool-failed"
  | "gone"
  | "sign-in";

/** Why an MCP server could not be used, in words a person and a model can act on. */
export class McpError extends Error {
  readonly code: McpErrorCode;

  constructor(code: McpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "McpError";
    this.code = code;
  }
}
