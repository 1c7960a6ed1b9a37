import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Serves a production build of the product's storage without its screens (faultPage.ts). */
export class FaultPageServer implements AsyncDisposable {
  readonly #directory: string;
  readonly #server = createServer((request, response) => {
    const file = new URL(request.url ?? "/", "http://localhost").pathname;
    readFile(join(this.#directory, file)).then(
      (body) => response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" }).end(body),
      () => response.writeHead(404).end(),
    );
  });

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async start(): Promise<FaultPageServer> {
    const directory = await mkdtemp(join(tmpdir(), "rootscope-faults-"));
    await build({
      root: import.meta.dirname,
      configFile: false,
      base: "./",
      logLevel: "warn",
      worker: { format: "es" },
      build: {
        target: "es2022",
        outDir: directory,
        emptyOutDir: true,
        rollupOptions: { input: join(import.meta.dirname, "faultPage.html") },
      },
    });
    const server = new FaultPageServer(directory);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/faultPage.html`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#directory, { recursive: true, force: true });
  }
}
