import type { TrajectoryFormat } from "./format";
import { claudeCode } from "./claudeCode/claudeCode";
import { codex } from "./codex/codex";
import { geminiCli } from "./geminiCli/geminiCli";
import { inspect } from "./inspect/inspect";
import { ownLog } from "./own/ownLog";

/** All formats; of those that are equally sure of a file the first reads it. */
export const formats: readonly TrajectoryFormat[] = [ownLog, claudeCode, codex, geminiCli, inspect];
