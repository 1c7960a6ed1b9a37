import type { ImportFidelity } from "../session";

/** Programs whose recordings open here, by the name of their format, as a person knows them. */
export const IMPORTED_FORMATS: { readonly [format: string]: string } = {
  rootscope: "Rootscope",
  eve: "eve, Agent SDK",
  "claude-code": "Claude Code",
  codex: "Codex",
  "openai-chat": "OpenAI chat messages",
  "openai-responses": "OpenAI Responses",
  anthropic: "Anthropic messages",
  atif: "ATIF",
  inspect: "Inspect",
  "openhands-v0": "OpenHands V0",
  "openhands-v1": "OpenHands V1",
  otel: "OpenTelemetry",
  "gemini-cli": "Gemini CLI",
  opencode: "opencode",
  "ai-sdk": "AI SDK messages",
  "swe-agent": "SWE-agent",
  "mini-swe-agent": "mini-SWE-agent",
  cursor: "Cursor",
  aider: "aider",
  pi: "Pi",
  "copilot-cli": "Copilot CLI",
  langfuse: "Langfuse",
  "tau-bench": "tau-bench",
};

export function formatName(format: string): string {
  return Object.hasOwn(IMPORTED_FORMATS, format) ? (IMPORTED_FORMATS[format] ?? format) : format;
}

/** How much of what happened an imported file tells, one sentence for each of its sides. */
export function fidelityWords(fidelity: ImportFidelity): readonly (readonly [side: string, words: string])[] {
  return [
    ["Times", TIMES[fidelity.times]],
    ["Call ids", CALL_IDS[fidelity.callIds]],
    ["Results", RESULTS[fidelity.results]],
    ["Usage", USAGE[fidelity.usage]],
    ["Files", FILES[fidelity.files]],
  ];
}

const TIMES: { readonly [Kind in ImportFidelity["times"]]: string } = {
  real: "as recorded",
  naive: "recorded without a time zone; shown as if it were UTC",
  missing: "not recorded: only the order is known",
};
const CALL_IDS: { readonly [Kind in ImportFidelity["callIds"]]: string } = {
  real: "as recorded",
  made: "not recorded: results are matched to calls by order",
};
const RESULTS: { readonly [Kind in ImportFidelity["results"]]: string } = {
  full: "whole",
  truncated: "some were cut by whoever recorded them",
  masked: "some were blanked by whoever recorded them",
  absent: "not recorded",
};
const USAGE: { readonly [Kind in ImportFidelity["usage"]]: string } = {
  "per-call": "recorded for each model call",
  cumulative: "recorded as running totals; taken apart here",
  absent: "not recorded: unknown",
};
const FILES: { readonly [Kind in ImportFidelity["files"]]: string } = {
  snapshot: "kept with the recording",
  inferred: "known as far as the calls show them",
  none: "not recorded",
};
