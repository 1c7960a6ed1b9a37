const PAGE = `<!doctype html><meta charset="utf-8" />
<script type="module" src="/src/host/webcontainer/protocolPage.suite.ts"></script>`;

/**
 * For browser tests: serves what stands in for WebContainer's frame at the address the vendor's client asks for.
 * @returns {import("vite").Plugin}
 */
export function protocolFrame() {
  return {
    name: "protocol-frame",
    configureServer(server) {
      server.middlewares.use("/headless", (_request, response) => {
        response.setHeader("Content-Type", "text/html");
        response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
        response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
        response.end(PAGE);
      });
    },
  };
}
