import type { TrajectoryFormat } from "./format";
import { aider } from "./aider/aider";
import { aiSdk } from "./aiSdk/aiSdk";
import { anthropic } from "./anthropic/anthropic";
import { atif } from "./atif/atif";
import { claudeCode } from "./claudeCode/claudeCode";
import { codex } from "./codex/codex";
import { copilotCli } from "./copilotCli/copilotCli";
import { cursor } from "./cursor/cursor";
import { geminiCli } from "./geminiCli/geminiCli";
import { inspect } from "./inspect/inspect";
import { miniSweAgent } from "./miniSweAgent/miniSweAgent";
import { openaiChat } from "./openaiChat/openaiChat";
import { openaiResponses } from "./openaiResponses/openaiResponses";
import { openhandsV0 } from "./openhandsV0/openhandsV0";
import { openhandsV1 } from "./openhandsV1/openhandsV1";
import { langfuse } from "./langfuse/langfuse";
import { opencode } from "./opencode/opencode";
import { otel } from "./otel/otel";
import { carriedFiles } from "./own/carriedFile";
import { eveLog, ownLog } from "./own/ownLog";
import { pi } from "./pi/pi";
import { sweAgent } from "./sweAgent/sweAgent";
import { tauBench } from "./tauBench/tauBench";

/** All formats; of those that are equally sure of a file the first reads it. */
export const formats: readonly TrajectoryFormat[] = [
  ownLog,
  ...carriedFiles,
  eveLog,
  claudeCode,
  codex,
  geminiCli,
  inspect,
  otel,
  opencode,
  langfuse,
  pi,
  copilotCli,
  cursor,
  aider,
  aiSdk,
  anthropic,
  atif,
  miniSweAgent,
  openaiChat,
  openaiResponses,
  openhandsV0,
  openhandsV1,
  sweAgent,
  tauBench,
];
