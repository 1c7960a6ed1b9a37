import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { seededRandom, sha256HexSync, type Random } from "../../base";
import { DEMO_MODEL_ID } from "../modelSettings";
import { conversationFromPrompt, type Conversation, type Exchange } from "./conversation";
import { readAfterEdit } from "./exactEdit";
import { directivesFromInstructions } from "./directives";
import { intentsFromText } from "./intentsFromText";
import { intentWords } from "./intentWords";
import { progressOf, type PlannedStep } from "./plan";
import { CONFIRM_QUESTION, PlanContext, WRITES } from "./planContext";
import { requestPlan } from "./requestPlan";
import { stepParts, type Speech } from "./stepParts";
import { linesFromRead } from "./toolTexts";

export interface DemoPlannerOptions {
  /** Same prompt and seed, same stream. */
  readonly seed?: string;
  readonly pace?: "instant" | "natural";
  /** Streams how it understood the request as reasoning. */
  readonly reasoning?: boolean;
}

/**
 * The demo model (docs/models.md): rules that read the newest message and the instructions, plan from the tools
 * offered, and go by the results they get. It keeps nothing: everything comes from the prompt, so the same prompt, tools
 * and seed give the same stream.
 */
export function demoPlanner(options: DemoPlannerOptions = {}): LanguageModelV4 {
  const { seed = "demo", pace = "instant" } = options;
  const parts = (call: LanguageModelV4CallOptions): Generator<LanguageModelV4StreamPart, void, undefined> => {
    const ownSeed = call.seed === undefined ? seed : `${seed}/${call.seed}`;
    const isReasoning = options.reasoning ?? !["none", "provider-default", undefined].includes(call.reasoning);
    return stepParts(speechFor(call, ownSeed, isReasoning), seededRandom(`${ownSeed}/pieces/${call.prompt.length}`));
  };
  return {
    specificationVersion: "v4",
    provider: "demo",
    modelId: DEMO_MODEL_ID,
    supportedUrls: {},
    async doStream(call) {
      call.abortSignal?.throwIfAborted();
      const chance = pace === "natural" ? seededRandom(`${seed}/pace`) : undefined;
      return { stream: pacedStream(parts(call), chance, call.abortSignal) };
    },
    async doGenerate(call) {
      call.abortSignal?.throwIfAborted();
      return resultFromParts(parts(call));
    },
  };
}

function speechFor(call: LanguageModelV4CallOptions, seed: string, isReasoning: boolean): Speech {
  const conversation = conversationFromPrompt(call.prompt);
  const request = requestIn(conversation.exchanges);
  if (typeof request === "string") return { reasoning: "", text: request, calls: [] };
  const directives = directivesFromInstructions(conversation.instructions);
  const isToolsOff = call.toolChoice?.type === "none";
  const context = new PlanContext({
    offered: new Set(isToolsOff ? [] : call.tools?.map(({ name }) => name)),
    directives,
    random: seededRandom(`${seed}/${request.text}`),
    confirmed: request.confirmed,
    mounts: conversation.mounts,
  });
  rememberEarlier(context, conversation, request);
  const progress = progressOf(requestPlan(context, request.text), request.steps);
  const isFirst = request.steps.length === 0;
  const plan = isFirst && (isReasoning || directives.explainFirst) ? planWords(request.text) : "";
  const reasoning = isReasoning ? plan : "";
  const preface = !isReasoning && directives.explainFirst && plan !== "" ? `${plan}\n\n` : "";
  if ("done" in progress) return { reasoning, text: preface + progress.done, calls: [] };
  return { reasoning, text: preface + progress.next.text, calls: callsOf(progress.next, call, seed) };
}

function callsOf(step: PlannedStep, call: LanguageModelV4CallOptions, seed: string): Speech["calls"] {
  // Unlike any other of the conversation, which only grows, and the same when the same prompt comes again. The whole
  // prompt would say no more and be slow to hash.
  const place = [seed, call.prompt.length, call.prompt.findLast(({ role }) => role === "user")];
  return step.calls.map(({ toolName, input }, index) => ({
    callId: `call_${sha256HexSync(JSON.stringify([place, toolName, input, index])).slice(0, 20)}`,
    toolName,
    inputText: typeof input === "string" ? input : JSON.stringify(input),
  }));
}

interface Request {
  readonly text: string;
  readonly steps: Exchange["steps"];
  readonly confirmed: boolean;
  /** The exchanges before it. */
  readonly earlier: readonly Exchange[];
}

const YES = /^(?:y|yes|yep|yeah|ok(?:ay)?|sure|go ahead|do it|please do|confirmed?|proceed)\b.{0,40}$/is;
const NO = /^(?:n|no|nope|stop|cancel|don['’]t)\b.{0,60}$/is;
const GO_ON = /^(?:continue|go on|carry on|keep going|again|and now\??|once more)\W*$/i;

/** What the newest message asks for; a text is the whole answer. */
function requestIn(exchanges: readonly Exchange[]): Request | string {
  const last = exchanges.at(-1);
  if (!last) return "There is no message to answer.";
  const before = exchanges.at(-2);
  const earlier = exchanges.slice(0, -1);
  if (before?.reply.includes(CONFIRM_QUESTION)) {
    if (YES.test(last.text)) {
      const asked = requestIn(earlier);
      // The steps made before the question and those made since are one run of the same plan.
      if (typeof asked !== "string") return { ...asked, steps: [...asked.steps, ...last.steps], confirmed: true };
    }
    if (NO.test(last.text)) return "All right, I changed nothing.";
  }
  if (before && GO_ON.test(last.text)) {
    const asked = requestIn(earlier);
    if (typeof asked !== "string") return { ...asked, steps: last.steps, earlier };
  }
  return { text: last.text, steps: last.steps, confirmed: false, earlier };
}

/** What was read and touched before this request, for words such as “it” and “what you read”. */
function rememberEarlier(context: PlanContext, { exchanges }: Conversation, request: Request): void {
  const mine = new Set(request.steps);
  const before = request.earlier.findLast(({ steps }) => steps.flat().some(({ toolName }) => WRITES.has(toolName)));
  context.earlierWrites = (before?.steps.flat() ?? []).filter(
    ({ toolName, failed, stubbed }) => WRITES.has(toolName) && !failed && stubbed !== true,
  );
  for (const step of exchanges.flatMap((exchange) => exchange.steps)) {
    if (mine.has(step)) continue;
    for (const { toolName, input, text, failed } of step) {
      const path = (input as { path?: unknown } | null)?.path;
      if (typeof path !== "string" || failed) continue;
      if (toolName === "Read") context.earlierReads.set(path, linesFromRead(text));
      if (/^(?:Read|Write|StrReplace)$/.test(toolName)) context.lastPath = path;
      const read = context.earlierReads.get(path);
      const { oldText, newText, replaceAll } = input as { oldText?: unknown; newText?: unknown; replaceAll?: unknown };
      if (read && typeof oldText === "string" && typeof newText === "string") {
        context.earlierReads.set(path, readAfterEdit(read, { oldText, newText }, replaceAll === true));
      }
    }
  }
}

function planWords(text: string): string {
  const intents = intentsFromText(text).filter(({ kind }) => kind !== "unknown" && kind !== "help");
  return intents.length === 0 ? "" : `My plan: ${intents.map(intentWords).join("; ")}.`;
}

/** A stream that is made piece by piece as it is read; with `chance`, at the pace of somebody typing fast. */
function pacedStream(
  parts: Generator<LanguageModelV4StreamPart, void, undefined>,
  chance: Random | undefined,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        const { done, value } = parts.next();
        if (chance && value?.type.endsWith("-delta")) await delay(8 + chance() * 24, signal);
        if (signal?.aborted) controller.error(signal.reason);
        else if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends early, without an error, when the signal stops it. */
function delay(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    signal?.addEventListener("abort", finish);
  });
}

function resultFromParts(parts: Iterable<LanguageModelV4StreamPart>): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [];
  const texts = { reasoning: "", text: "" };
  for (const part of parts) {
    if (part.type === "reasoning-delta") texts.reasoning += part.delta;
    else if (part.type === "text-delta") texts.text += part.delta;
    else if (part.type === "reasoning-end") content.push({ type: "reasoning", text: texts.reasoning });
    else if (part.type === "text-end") content.push({ type: "text", text: texts.text });
    else if (part.type === "tool-call") content.push(part);
    else if (part.type === "finish")
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] };
  }
  throw new Error("a step always ends with its finish part");
}
