import type { HostCommand, HostCommandLoaders } from "./hostCommand";

/** What the host adds to the shell's own commands; each comes with its first use. */
export const hostCommandLoaders: HostCommandLoaders = {
  git: {
    summary: "version control (isomorphic-git)",
    load: async () => (await import("../git/gitCommand")).gitCommand,
  },
  node: {
    summary: "scripts in QuickJS, not the real Node",
    load: async () => (await import("../node/nodeCommand")).nodeCommand,
  },
  python: { summary: "same as python3", load: loadPython },
  python3: { summary: "Python with its standard library (Pyodide)", load: loadPython },
};

async function loadPython(): Promise<HostCommand> {
  return (await import("../python/pythonCommand")).pythonCommand;
}
