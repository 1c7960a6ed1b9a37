import type { TrajectoryFormat } from "../format";

/** Logs of Claude Code: `~/.claude/projects/…/<session>.jsonl`, those of its subagents, and its `stream-json` output. */
export const claudeCode: TrajectoryFormat = {
  name: "claude-code",
  acrossFiles: true,
  detect: () => 0,
  read: async () => {},
};
