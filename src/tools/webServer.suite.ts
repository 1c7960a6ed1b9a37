import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebServer {
  readonly url: string;
  /** Every request so far, headers included. */
  readonly requests: readonly IncomingMessage[];
  stop(): Promise<void>;
}

type Route = (request: IncomingMessage, response: ServerResponse, server: { readonly url: string }) => void;

const OPEN = { "access-control-allow-origin": "*" };

/** What a server of the web may answer, by path. Paths under `/closed` let no page of another address read them. */
const ROUTES: Readonly<Record<string, Route>> = {
  "/page": (_request, response) =>
    send(response, "text/html; charset=utf-8", "<title>A page</title><main><h1>Hi</h1><p>Text</p></main>"),
  "/closed": (_request, response) => void response.writeHead(200, { "content-type": "text/plain" }).end("closed"),
  "/json": (_request, response) => send(response, "application/problem+json", '{"a":1}'),
  "/plain": (_request, response) => send(response, "text/plain", "plain\ntext"),
  "/untyped": (_request, response) => void response.writeHead(200, OPEN).end("<!DOCTYPE html><p>untyped"),
  "/latin": (_request, response) =>
    send(response, "text/plain; charset=ISO-8859-1", Buffer.from("caf\u00e9", "latin1")),
  "/declared": (_request, response) =>
    send(response, "text/html", Buffer.from('<meta charset="windows-1251"><p>\u00c4\u00e0', "latin1")),
  "/image": (_request, response) => send(response, "image/png", Buffer.from([0x89, 0x50])),
  "/lies": (_request, response) => send(response, "text/plain", Buffer.from([1, 0, 2, 0])),
  "/missing": (_request, response) => send(response, "text/plain", "gone", 404),
  "/private": (_request, response) => send(response, "text/plain", "no", 403),
  "/broken": (_request, response) => send(response, "text/plain", "no", 503),
  "/moved": (_request, response) => void response.writeHead(302, { ...OPEN, location: "/page" }).end(),
  "/moved-to-closed": (_request, response, { url }) =>
    void response.writeHead(302, { ...OPEN, location: `${url.replace("127.0.0.1", "localhost")}/closed` }).end(),
  "/loop": (_request, response) => void response.writeHead(302, { ...OPEN, location: "/loop" }).end(),
  "/long": (_request, response) => send(response, "text/plain", "0123456789 long line\n".repeat(3_000)),
  "/huge": (_request, response) => {
    response.writeHead(200, { ...OPEN, "content-type": "text/plain", "content-length": String(6 * 2 ** 20) });
    response.write("x");
  },
  "/endless": (_request, response) => {
    response.writeHead(200, { ...OPEN, "content-type": "text/plain" });
    const piece = "x".repeat(2 ** 20);
    const write = (): void => {
      if (!response.destroyed) response.write(piece, write);
    };
    write();
  },
  "/slow": (_request, response) => {
    response.writeHead(200, { ...OPEN, "content-type": "text/plain" });
    response.write("first");
  },
  "/cut": (_request, response) => {
    response.writeHead(200, { ...OPEN, "content-type": "text/plain", "content-length": "100" });
    response.write("part", () => response.destroy());
  },
  "/search": (request, response, { url }) => {
    const { searchParams } = new URL(request.url ?? "", url);
    const term = searchParams.get("q") ?? "";
    const results = [
      { title: `About ${term}`, url: "https://one.example/", snippet: "The first." },
      { url: "https://two.example/", content: "The second." },
      { title: "no address" },
    ];
    const answer = searchParams.get("style") === "answers" ? { answer: `${term} is known.` } : {};
    send(response, "application/json", JSON.stringify({ ...answer, results }));
  },
  "/search-other": (_request, response) => send(response, "application/json", '{"hits":[]}'),
};

/** Starts a server of the web on this machine. */
export async function webServer(): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "OPTIONS") {
      const isOpen = !pathname.startsWith("/closed");
      const allowed = { ...OPEN, "access-control-allow-headers": "authorization, accept" };
      response.writeHead(204, isOpen ? allowed : {}).end();
      return;
    }
    (ROUTES[pathname] ?? ROUTES["/missing"])?.(request, response, { url });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, type: string, body: string | Buffer, status = 200): void {
  response.writeHead(status, { ...OPEN, "content-type": type }).end(body);
}
