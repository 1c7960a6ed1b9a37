import { loadPyodide, version, type PyodideAPI } from "pyodide";
import runnerSource from "./pythonRunner.py?raw";

/** The interpreter and the function of `pythonRunner.py` that runs a script in it. */
export interface PythonEngine {
  readonly pyodide: PyodideAPI;
  run(
    mode: PythonMode,
    target: string,
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
    cwd: string,
    roots: readonly string[],
  ): number;
}

export type PythonMode = "file" | "command" | "module" | "stdin";

const RUNNER = "<python3>";

/** Loads Pyodide from the page's own origin, which takes seconds; in Node, where the tests run, it finds its files by itself. */
export async function newPythonEngine(): Promise<PythonEngine> {
  const isPage = typeof location === "object";
  const folder = `./pyodide-${version}/`;
  const pyodide = await loadPyodide({
    ...(isPage ? { indexURL: new URL(folder, import.meta.url).href } : {}),
    // No packages: the list of those that could be fetched from elsewhere is left out.
    lockFileContents: JSON.stringify({
      info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", python: "3.14.2", version },
      packages: {},
    }),
    // Results of scripts are their output; nothing of the page is theirs.
    jsglobals: Object.create(null) as object,
  });
  const names = pyodide.globals.get("dict")();
  names.set("__file_of_runner__", RUNNER);
  pyodide.runPython(runnerSource, { globals: names, filename: RUNNER });
  const run = names.get("run") as (...args: unknown[]) => number;
  return {
    pyodide,
    run: (mode, target, argv, env, cwd, roots) =>
      run(mode, target, pyodide.toPy([...argv]), pyodide.toPy({ ...env }), cwd, pyodide.toPy([...roots])),
  };
}
