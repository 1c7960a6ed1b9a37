import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Random } from "../../base";

/** What one step says and calls, with ids and arguments ready to be streamed. */
export interface Speech {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly callId: string; readonly toolName: string; readonly inputText: string }[];
}

/** Rules count no tokens: unknown, not 0. */
const UNKNOWN_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Pieces of one text at most: a long one comes in larger pieces, so that watching it stays bearable. */
const PIECES_AT_MOST = 60;

/** The parts of one step's stream, cut into pieces by chance; equal chance, equal parts. */
export function* stepParts(speech: Speech, random: Random): Generator<LanguageModelV4StreamPart, void, undefined> {
  yield { type: "stream-start", warnings: [] };
  if (speech.reasoning !== "") {
    yield { type: "reasoning-start", id: "reasoning-0" };
    for (const delta of pieces(speech.reasoning, random)) yield { type: "reasoning-delta", id: "reasoning-0", delta };
    yield { type: "reasoning-end", id: "reasoning-0" };
  }
  if (speech.text !== "") {
    yield { type: "text-start", id: "text-0" };
    for (const delta of pieces(speech.text, random)) yield { type: "text-delta", id: "text-0", delta };
    yield { type: "text-end", id: "text-0" };
  }
  for (const { callId, toolName, inputText } of speech.calls) {
    yield { type: "tool-input-start", id: callId, toolName };
    for (const delta of pieces(inputText, random)) yield { type: "tool-input-delta", id: callId, delta };
    yield { type: "tool-input-end", id: callId };
    yield { type: "tool-call", toolCallId: callId, toolName, input: inputText };
  }
  const unified: LanguageModelV4FinishReason["unified"] = speech.calls.length > 0 ? "tool-calls" : "stop";
  yield { type: "finish", usage: UNKNOWN_USAGE, finishReason: { unified, raw: undefined } };
}

/** Cuts a text on code points. */
function* pieces(text: string, random: Random): Generator<string, void, undefined> {
  const characters = Array.from(text);
  const least = Math.max(4, Math.ceil(characters.length / PIECES_AT_MOST));
  for (let start = 0; start < characters.length;) {
    const size = least + Math.floor(random() * least * 2);
    yield characters.slice(start, start + size).join("");
    start += size;
  }
}
