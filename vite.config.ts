import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { bashMends } from "./scripts/bashMends.ts";
import { chromiumArgs, findChromium } from "./scripts/findChromium.mjs";
import { isolationWorker } from "./scripts/isolationWorker.mjs";
import { contentSecurityPolicy, isolationHeaders } from "./scripts/pageHeaders.mjs";
import { protocolFrame } from "./scripts/protocolFrame.mjs";
import { pyodideFiles } from "./scripts/pyodideFiles.mjs";

/**
 * What the first screen is made of anyway, each kind in one chunk: cut up by which later screen shares what, it would be a
 * hundred little files, which pack worse.
 */
const firstPackages = [
  {
    name: "interface",
    test: /node_modules\/(?:react|react-dom|scheduler|zustand|tslib|aria-hidden|get-nonce|use-callback-ref|use-sidecar|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|@floating-ui\/[^/]+|@radix-ui\/(?:primitive|react-(?:collection|compose-refs|context|direction|dismissable-layer|dropdown-menu|focus-guards|focus-scope|id|menu|popover|popper|portal|presence|primitive|roving-focus|slot|tooltip|use-callback-ref|use-controllable-state|use-effect-event|use-is-hydrated|use-layout-effect|use-size|visually-hidden)))\//,
  },
  { name: "base", test: /src\/base\/(?!index)/ },
];

export default defineConfig({
  base: "./",
  plugins: [react(), bashMends(), isolationWorker(), pyodideFiles()],
  worker: { format: "es", plugins: () => [bashMends()] },
  // Pyodide finds its files by the address of the script that loads it.
  optimizeDeps: { exclude: ["pyodide"], rolldownOptions: { plugins: [bashMends()] } },
  server: { headers: isolationHeaders },
  preview: { headers: { ...isolationHeaders, "Content-Security-Policy": contentSecurityPolicy } },
  build: {
    target: "es2022",
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: firstPackages } } },
  },
  test: {
    // How long a test takes is the machine's business, and a busy one takes long: this ends only what hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["**/*.browser.test.ts"],
          // Tests run the package as the build mends it.
          server: { deps: { inline: ["just-bash"] } },
        },
      },
      {
        extends: true,
        plugins: [protocolFrame()],
        // What only a frame of a test asks for: found late, it would load every page of the run anew.
        optimizeDeps: {
          include: [
            "comlink",
            "just-bash/browser",
            "@webcontainer/api",
            "isomorphic-git",
            "isomorphic-git/http/web",
            "buffer/index.js",
            "diff",
            "quickjs-emscripten-core",
            "@jitl/quickjs-wasmfile-release-sync",
          ],
        },
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.ts"],
          globalSetup: [
            "src/fs/host/corsServer.suite.ts",
            "src/mcp/pageMcpServers.suite.ts",
            "src/tools/pageWebServer.suite.ts",
          ],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                ...(findChromium() ? { executablePath: findChromium() as string } : {}),
                args: chromiumArgs,
              },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
