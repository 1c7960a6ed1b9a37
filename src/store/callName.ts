import type { CallItem } from "../session";

/** A call's tool as a person reads it: a server's tool says whose it is, and never looks like a native. */
export function callName({ toolName, mcp }: Pick<CallItem, "toolName" | "mcp">): string {
  return mcp === undefined ? toolName : `mcp ${mcp.connection} · ${mcp.tool}`;
}
