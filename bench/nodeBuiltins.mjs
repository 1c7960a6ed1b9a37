import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const VIRTUAL_URL = "\0node-url";

/**
 * What memfs needs of Node, in a browser: the usual packages in place of the modules it names.
 * @returns {import("vite").Plugin}
 */
export function nodeBuiltins() {
  const packages = new Map([
    ["path", "path-browserify"],
    ["events", "events/"],
    ["buffer", "buffer/"],
    ["stream", "readable-stream/lib/ours/browser.js"],
  ]);
  return {
    name: "node-builtins",
    enforce: "pre",
    resolveId(source) {
      const name = source.replace(/^node:/, "");
      if (name === "url") return VIRTUAL_URL;
      const found = packages.get(name);
      return found === undefined ? undefined : require.resolve(found);
    },
    load: (id) => (id === VIRTUAL_URL ? "export const URL = globalThis.URL;" : undefined),
  };
}
