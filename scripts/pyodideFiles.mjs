// Puts the files Pyodide loads by name beside the scripts of the build, in a folder named for its version.
import { createReadStream, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isolationHeaders } from "./pageHeaders.mjs";

const FILES = {
  "pyodide.asm.mjs": "text/javascript",
  "pyodide.asm.wasm": "application/wasm",
  "python_stdlib.zip": "application/zip",
};

const folder = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** @returns {import("vite").Plugin} */
export function pyodideFiles() {
  const name = `pyodide-${version}`;
  return {
    name: "rootscope:pyodide-files",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, file] = /\/pyodide-[\d.]+\/([\w.]+)(?:\?.*)?$/.exec(request.url ?? "") ?? [];
        const type = Object.entries(FILES).find(([known]) => known === file)?.[1];
        if (file === undefined || type === undefined) return next();
        for (const [header, value] of Object.entries(isolationHeaders)) response.setHeader(header, value);
        response.setHeader("Content-Type", type);
        createReadStream(join(folder, file)).pipe(response);
      });
    },
    generateBundle() {
      if (this.environment?.name === "ssr") return;
      for (const file of Object.keys(FILES)) {
        this.emitFile({ type: "asset", fileName: `assets/${name}/${file}`, source: readFileSync(join(folder, file)) });
      }
    },
  };
}
