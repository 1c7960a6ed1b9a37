/**
 * MCP servers as tools (docs/connections.md).
 *
 * - *connection*: one server of the project over streamable HTTP, with its state, its sign-in and its tools.
 * - *state*: closed, connecting, ready, needs-sign-in, failed; whatever goes wrong is one of them, with words.
 * - *sign-in window*: where a person signs in somewhere else; what comes of it returns through a page of our own.
 */
export { McpConnection } from "./mcpConnection";
export type { SignInWindow } from "./signInWindow";
