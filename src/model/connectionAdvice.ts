import { isLoopback } from "../base";
import type { ModelFailureCode } from "./modelError";

/** Where the page stands, as far as the advice depends on it. */
export interface PagePlace {
  /** The page's own origin, `undefined` outside a browser. */
  readonly origin?: string | undefined;
  /** Chrome's permission to reach the local network from this page; `undefined` where there is none. */
  readonly localNetwork?: "granted" | "denied" | "prompt" | undefined;
}

interface KnownServer {
  readonly name: string;
  readonly port: string;
  readonly start: string;
  /** What lets a page of `origin` read its answers. */
  allow(origin: string): string;
}

const KNOWN_SERVERS: readonly KnownServer[] = [
  {
    name: "Ollama",
    port: "11434",
    start: "ollama serve",
    allow: (origin) =>
      `Quit Ollama and start it with OLLAMA_ORIGINS="${origin}" ollama serve. macOS app: launchctl setenv OLLAMA_ORIGINS ` +
      `"${origin}", then restart it. Windows: set the user environment variable OLLAMA_ORIGINS, then restart it. ` +
      `Linux service: systemctl edit ollama, add Environment="OLLAMA_ORIGINS=${origin}" under [Service], restart.`,
  },
  {
    name: "LM Studio",
    port: "1234",
    start: "lms server start --cors",
    allow: () =>
      "In LM Studio open Developer, Server Settings, and switch on Enable CORS; or run: lms server start --cors",
  },
  {
    name: "llama.cpp",
    port: "8080",
    start: "llama-server -m model.gguf --port 8080",
    allow: () =>
      "llama-server lets every page read its answers, so something else listens on this port, or a proxy in front of it " +
      "drops the header Access-Control-Allow-Origin. Start it with: llama-server -m model.gguf --port 8080",
  },
  {
    name: "vLLM",
    port: "8000",
    start: "vllm serve MODEL",
    allow: (origin) => `Start vLLM with: vllm serve MODEL --allowed-origins '["${origin}"]'`,
  },
];

/** What to do about a connection that failed, in words a person can follow; `undefined` when there is nothing to say. */
export function connectionAdvice(url: string, code: ModelFailureCode, page: PagePlace): string | undefined {
  const { hostname, port } = new URL(url);
  const server = KNOWN_SERVERS.find((known) => known.port === port);
  const origin = page.origin ?? "http://localhost:5173";
  if (code === "cors") {
    if (server) return server.allow(origin);
    return `The server must send Access-Control-Allow-Origin: ${origin} and allow the headers authorization and content-type.`;
  }
  if (code !== "network") return undefined;
  // Chrome asks a page from elsewhere only: one that this machine serves reaches it without being asked.
  const needsPermission = isLocal(hostname) && page.origin !== undefined && !isLoopback(new URL(page.origin).hostname);
  const parts = [
    server
      ? `Is ${server.name} running? Start it with: ${server.start}`
      : "Is the server running, and is the port right?",
    ...(needsPermission && (page.localNetwork === "prompt" || page.localNetwork === "denied")
      ? [LOCAL_NETWORK_FIX]
      : []),
  ];
  return parts.join(" ");
}

const LOCAL_NETWORK_FIX =
  "Chrome asks before a page may reach this machine or the local network: open the site information left of the address, " +
  "set Local network access to Allow, and test again.";

function isLocal(hostname: string): boolean {
  if (isLoopback(hostname) || hostname.endsWith(".local")) return true;
  return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)|^\[f[cd]/.test(hostname);
}
