import type { HostCommandLoaders } from "./hostCommand";

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
};
