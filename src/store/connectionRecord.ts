import type { JsonObject, JsonValue } from "../base";

/** A connection to an MCP server as the project keeps it; its keys are in the keyring, and nowhere else. */
export interface ConnectionRecord {
  readonly id: string;
  /** Stands in the names of its tools. */
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  /** How this page is known to the server's sign-in, where it was registered there by hand. */
  readonly clientId?: string;
}

/** What a person chooses of a connection. */
export type ConnectionChoice = Omit<ConnectionRecord, "id" | "enabled">;

export function isConnectionRecord(value: JsonValue): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const { id, name, url, enabled, clientId } = value as JsonObject;
  const areTexts = [id, name, url, clientId ?? ""].every((text) => typeof text === "string");
  return areTexts && typeof enabled === "boolean";
}

const LONGEST_NAME = 24;

/** Why a connection cannot be like this, in words for a form; `undefined` when it can. */
export function connectionProblem(
  { name, url }: ConnectionChoice,
  others: readonly ConnectionRecord[],
): string | undefined {
  if (!/^[A-Za-z0-9][\w-]*$/.test(name) || name.length > LONGEST_NAME) {
    return `A name has letters, digits, _ and -, ${LONGEST_NAME} at most: its tools are named by it.`;
  }
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    return `There is a connection named ${name} already.`;
  }
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    return "The address begins with https:// or http:// and usually ends in /mcp.";
  }
  if (address.username !== "" || address.password !== "") return "An address holds no user name and no password.";
  return undefined;
}
