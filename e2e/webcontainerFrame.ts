import type { Page } from "@playwright/test";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { bashMends } from "../scripts/bashMends.ts";

const VENDOR = "https://stackblitz.com/headless**";

/** Without them an isolated page shows no frame. */
const FRAME_HEADERS = {
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** What stands in for WebContainer's own frame, at its own address: a page that speaks its protocol, without Node. */
export class WebcontainerFrame {
  readonly #page: Page;
  /** Times the vendor's address was asked for. */
  requests = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** As without a network: every request fails. */
  async cutOff(): Promise<void> {
    await this.#page.unroute(VENDOR);
    await this.#page.route(VENDOR, (route) => {
      this.requests += 1;
      return route.abort("internetdisconnected");
    });
  }

  /** What a server of the container's answers on a port. */
  async serves(port: number, html: string): Promise<void> {
    await this.#page.route(`https://stackblitz.com/headless-${port}`, (route) =>
      route.fulfill({ contentType: "text/html", headers: FRAME_HEADERS, body: html }),
    );
  }

  async connect(): Promise<void> {
    const script = await bundled();
    await this.#page.unroute(VENDOR);
    await this.#page.route(VENDOR, (route) => {
      this.requests += 1;
      return route.fulfill({
        contentType: "text/html",
        headers: FRAME_HEADERS,
        body: `<!doctype html><meta charset="utf-8" /><script type="module">${script}</script>`,
      });
    });
  }
}

/** The page's script with all it imports; never a part of the product's build. */
async function bundled(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: "warn",
    plugins: [bashMends()],
    build: {
      write: false,
      target: "es2022",
      rolldownOptions: {
        input: join(import.meta.dirname, "../src/host/webcontainer/protocolPage.suite.ts"),
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  const [chunk] = output.output.filter((part) => part.type === "chunk");
  // The script stands inside the page's own text.
  return (chunk?.code ?? "").replaceAll("</script", "<\\/script");
}
