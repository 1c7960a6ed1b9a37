import type { TrajectoryFormat } from "../format";

/** Rollouts of Codex, old and new, and the output of `codex exec --json`. */
export const codex: TrajectoryFormat = { name: "codex", acrossFiles: true, detect: () => 0, read: async () => {} };
