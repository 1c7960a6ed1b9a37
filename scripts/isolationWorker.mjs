import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Puts the worker that isolates a page on servers that cannot send headers beside the built page: its scope is the folder it
 * lies in (docs/hosting.md). Nothing registers it unasked.
 * @returns {import("vite").Plugin}
 */
export function isolationWorker() {
  return {
    name: "isolation-worker",
    apply: "build",
    generateBundle() {
      const source = createRequire(import.meta.url).resolve("coi-serviceworker/coi-serviceworker.min.js");
      this.emitFile({ type: "asset", fileName: "coi-serviceworker.js", source: readFileSync(source, "utf8") });
    },
  };
}
