import { limits, type JsonValue } from "../base";
import type { SessionEvent } from "../session";
import { ownText } from "./replayLookText";

/** A place where the words stand. */
export interface SearchHit {
  readonly sessionId: string;
  readonly index: number;
  /** What they stand in: a message, reasoning, the arguments of a call, … */
  readonly where: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
  /** The call they belong to. */
  readonly callId?: string;
}

export interface SearchProgress {
  /** The first of all hits, in order. */
  readonly hits: readonly SearchHit[];
  readonly count: number;
  readonly eventsRead: number;
}

export interface SearchedSession {
  readonly sessionId: string;
  /** Its events in order. */
  read(): AsyncIterable<readonly SessionEvent[]>;
}

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** Told at most once a slice, and once at the end. */
  readonly onProgress: (progress: SearchProgress) => void;
}

/** Characters shown on each side of a hit. */
const SHOWN_AROUND = 60;

/**
 * Finds words, whatever their case, in everything a log holds, a slice at a time. Only hits stay in memory.
 * @throws what the logs throw · what the signal was aborted with
 */
export async function searchSessions(
  sessions: readonly SearchedSession[],
  words: string,
  { signal, onProgress }: SearchOptions,
): Promise<void> {
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "giu");
  const hits: SearchHit[] = [];
  let count = 0;
  let eventsRead = 0;
  let sliceEnd = performance.now() + limits.workSliceMs;
  for (const session of sessions) {
    const { sessionId } = session;
    let index = 0;
    for await (const batch of session.read()) {
      for (const event of batch) {
        for (const found of hitsIn(event, pattern)) {
          count++;
          if (hits.length < limits.replayHits) hits.push({ sessionId, index, ...found });
        }
        index++;
        eventsRead++;
        if (performance.now() < sliceEnd) continue;
        onProgress({ hits: [...hits], count, eventsRead });
        await new Promise((resolve) => setTimeout(resolve));
        signal.throwIfAborted();
        sliceEnd = performance.now() + limits.workSliceMs;
      }
      signal.throwIfAborted();
    }
  }
  onProgress({ hits, count, eventsRead });
}

type Found = Omit<SearchHit, "sessionId" | "index">;

function* hitsIn(event: SessionEvent, pattern: RegExp): Generator<Found, void> {
  for (const { text, where, callId } of textsOf(event)) {
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      yield {
        where,
        before: piece(text.slice(Math.max(0, match.index - SHOWN_AROUND), match.index)),
        match: piece(match[0]),
        after: piece(text.slice(end, end + SHOWN_AROUND)),
        ...(callId === undefined ? {} : { callId }),
      };
    }
  }
}

/** On one line. */
function piece(text: string): string {
  return ownText(text).replaceAll(/\s/g, " ");
}

interface SearchedText {
  readonly text: string;
  readonly where: string;
  readonly callId?: string;
}

/** Every text of an event, each once: pieces are left to the whole they make. */
function* textsOf(event: SessionEvent): Generator<SearchedText, void> {
  switch (event.type) {
    case "message.received":
      yield { text: event.data.message, where: "message" };
      break;
    case "reasoning.completed":
      yield { text: event.data.reasoning, where: "reasoning" };
      break;
    case "message.completed":
      yield { text: event.data.message, where: "answer" };
      break;
    case "actions.requested":
      for (const { callId, toolName, input, inputText } of event.data.actions) {
        yield { text: toolName, where: "tool", callId };
        yield* inValue(inputText ?? input, `arguments of ${toolName}`, callId);
      }
      break;
    case "action.result": {
      const { result, error, changes = [], toolName } = event.data;
      const { callId } = result;
      yield* inValue(result.output, `output of ${toolName}`, callId);
      if (error !== undefined && error.message !== result.output) {
        yield { text: error.message, where: `error of ${toolName}`, callId };
      }
      for (const { path } of changes) yield { text: path, where: "file changed", callId };
      break;
    }
    case "tree.changed":
      for (const { path } of event.data.changes) yield { text: path, where: "file changed" };
      break;
    case "import.entry":
      yield* inValue(event.data.raw, `entry ${event.data.kind}`);
      break;
    case "compaction.completed":
      yield { text: event.data.summary ?? "", where: "compaction" };
      break;
    case "step.failed":
    case "turn.failed":
    case "session.failed":
      yield { text: event.data.message, where: "failure" };
      break;
    case "input.requested":
      for (const { prompt, action } of event.data.requests)
        yield { text: prompt, where: "question", callId: action.callId };
      break;
    case "input.resolved":
      for (const { response } of event.data.resolutions) yield* inValue(response, "reply");
      break;
    // The others have no words of anybody.
    default:
  }
}

/** The texts and figures in a value. A list instead of recursion: values may be nested deeply. */
function* inValue(value: JsonValue | undefined, where: string, callId?: string): Generator<SearchedText, void> {
  const more = callId === undefined ? {} : { callId };
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") yield { text: next, where, ...more };
    else if (typeof next === "number") yield { text: String(next), where, ...more };
    else if (Array.isArray(next)) for (const one of next.toReversed()) left.push(one as JsonValue);
    else if (next !== null && typeof next === "object") {
      for (const one of Object.values(next).toReversed()) left.push(one);
    }
  }
}
