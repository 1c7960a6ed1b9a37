import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves the build as the plainest of hosts does, GitHub Pages for one: what the other server has, without its headers. */
export class BareServer implements AsyncDisposable {
  readonly #server;

  private constructor(origin: string) {
    this.#server = createServer((request, response) => {
      handOn(new URL(request.url ?? "/", origin), response).catch(() => response.writeHead(502).end());
    });
  }

  static async start(origin: string): Promise<BareServer> {
    const server = new BareServer(origin);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function handOn(address: URL, response: ServerResponse): Promise<void> {
  const answer = await fetch(address);
  const type = answer.headers.get("Content-Type") ?? "text/plain";
  response.writeHead(answer.status, { "Content-Type": type }).end(Buffer.from(await answer.arrayBuffer()));
}
