import { DiscoveryError, type DiscoveryFault } from "../base";

/** How a connection proves who it acts for; what it is proved with is in no definition. */
export type ConnectionAuth = "none" | "bearer" | "oauth";

export interface ConnectionDefinition {
  /** What its tools' names begin with: letters, digits, `_` and `-`, at most 32. */
  readonly name: string;
  /** The address of a server that speaks streamable HTTP. */
  readonly url: string;
  /** Sent with every request. Keys do not belong here: a definition is kept in logs and exports. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: ConnectionAuth;
  readonly enabled?: boolean;
  /** The server's tools that are offered, by the server's own names; all when omitted. */
  readonly tools?: readonly string[];
  /** Whether its tools are offered by name; refused on a cloud loop. */
  readonly advertiseTools?: boolean;
}

const FIELDS = ["name", "url", "headers", "auth", "enabled", "tools", "advertiseTools"];

/**
 * A connection to a server of tools, checked and frozen.
 * @throws DiscoveryError with every fault found
 */
export function defineConnection(definition: ConnectionDefinition): ConnectionDefinition {
  const faults = connectionFaults(definition);
  if (faults.length > 0) throw new DiscoveryError(faults);
  const { headers, tools, ...rest } = definition;
  return Object.freeze({
    ...rest,
    ...(headers === undefined ? {} : { headers: Object.freeze({ ...headers }) }),
    ...(tools === undefined ? {} : { tools: Object.freeze([...tools]) }),
  });
}

function connectionFaults(definition: ConnectionDefinition): DiscoveryFault[] {
  if (typeof definition !== "object" || definition === null) {
    return [{ field: "connection", problem: "It is not an object.", mend: "Give name and url at least." }];
  }
  const { name, url, headers, auth, tools } = definition;
  const faults: DiscoveryFault[] = [];
  const fault = (field: string, problem: string, mend: string) => faults.push({ field, problem, mend });
  if (typeof name !== "string" || !/^[\w-]{1,32}$/.test(name) || name.includes("__")) {
    fault("name", `${JSON.stringify(name)} is no connection's name.`, "Use 1 to 32 letters, digits, single _ and -.");
  }
  const problem = addressProblem(url);
  if (problem !== undefined) fault("url", problem, "Give an address such as https://tools.example/mcp.");
  const names = Object.entries(headers ?? {});
  if (names.some(([, value]) => typeof value !== "string")) {
    fault("headers", "A header is no text.", "Give each header as a text.");
  }
  if (names.some(([header]) => header.toLowerCase() === "authorization")) {
    fault("headers", "authorization would put a key into the log.", 'Use auth: "bearer" or "oauth".');
  }
  if (auth !== undefined && !["none", "bearer", "oauth"].includes(auth)) {
    fault("auth", `${JSON.stringify(auth)} is no way to prove who asks.`, 'Use "none", "bearer" or "oauth".');
  }
  if (tools !== undefined && (!Array.isArray(tools) || tools.some((tool) => typeof tool !== "string"))) {
    fault("tools", "It is no list of names.", "List tools by the server's own names, or leave it out for all.");
  }
  for (const field of ["enabled", "advertiseTools"] as const) {
    const value = definition[field];
    if (value === undefined || typeof value === "boolean") continue;
    fault(field, `${JSON.stringify(value)} is neither true nor false.`, "Use true or false.");
  }
  for (const field of Object.keys(definition).filter((each) => !FIELDS.includes(each))) {
    fault(field, "There is no such field.", `The fields are ${FIELDS.join(", ")}.`);
  }
  return faults;
}

function addressProblem(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return `${JSON.stringify(url)} is no address.`;
  const parsed = new URL(url);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    return `${parsed.protocol} is no address of the web.`;
  return parsed.username === "" && parsed.password === "" ? undefined : "It holds a name or a password.";
}
