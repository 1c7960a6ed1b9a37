import { bindAgent, defineAgent, type BoundAgent } from "../src/agent";
import { seededRandom, systemClock } from "../src/base";
import { tempFs } from "../src/fs";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "../src/model";
import { runTurn, sessionIdsAt, startSession } from "../src/session";
import { createLogWriter, openProjects, type ProjectStore } from "../src/storage";
import { defineTool, type Tool } from "../src/tools";
import { alternatedParts, timedMs, type Figure } from "./measure";
import { openRawStore } from "./rawStore";

/** Calls of one run. */
const CALLS = 20;
const CHEAP_RUNS = 9;
const USAGE = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
};

let sessions = 0;

/**
 * What a call of a tool that does nothing costs through the loop, its events stored by the end, against the bare function
 * and one put in IndexedDB: one call a step, as most models work, and all calls in one step. Figures are of `CALLS` calls.
 */
export async function loopFigures(): Promise<Figure[]> {
  const catalog = await openProjects({ name: "bench-loop", now: systemClock });
  const project = await catalog.create("Bench");
  const store = await catalog.open(project.id);
  const raw = await openRawStore("bench-loop-raw");
  const bound = await boundEcho();
  const figures = await alternatedParts(
    {
      [`loop ${CALLS} steps of one call`]: () => turnMs(store, bound, 1),
      [`loop one step of ${CALLS} calls`]: () => turnMs(store, bound, CALLS),
      [`bare function and put ×${CALLS}`]: () =>
        timedMs(async () => {
          for (let call = 0; call < CALLS; call++) {
            const output = await echo.execute({ text: `call ${call}` }, bareCall());
            await raw.write((records) =>
              records.put({ type: "action.result", data: { output } }, `${sessions}/${call}`),
            );
          }
        }),
    },
    CHEAP_RUNS,
  );
  raw.close();
  await store.close();
  await catalog.delete(project.id);
  catalog.close();
  return figures;
}

const echo: Tool = defineTool({
  name: "echo",
  description: "Gives back what it is given.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "read",
  execute: (input) => Promise.resolve(input),
});

function bareCall(): Parameters<Tool["execute"]>[1] {
  return {
    callId: "call",
    sessionId: "bare",
    signal: new AbortController().signal,
    now: systemClock,
    report: () => undefined,
  };
}

function boundEcho(): Promise<BoundAgent> {
  const tree = tempFs({ "/notes.md": "one\n" });
  const definition = defineAgent({ name: "bench", instructions: "Echo.", root: tree, maxSteps: CALLS + 1 });
  return bindAgent(definition, tree, { authoredTools: [echo] });
}

/** One turn of a new session, until its last event is stored. */
async function turnMs(store: ProjectStore, bound: BoundAgent, callsAStep: number): Promise<number> {
  const seed = `bench ${++sessions}`;
  const ids = sessionIdsAt(seed, 0, systemClock);
  const events = startSession({
    seed,
    ids,
    clock: systemClock,
    agentId: "bench",
    definition: { name: "bench", instructions: "Echo." },
    definitionHash: "0".repeat(64),
    model: { kind: "bench" },
    tools: bound.tools,
    mounts: [],
    snapshot: "0".repeat(64),
  });
  await store.createSession({
    id: seed,
    name: seed,
    createdAt: 0,
    updatedAt: 0,
    eventCount: 0,
    status: "new",
    preview: "",
    origin: "live",
  });
  const writer = createLogWriter(store.log(seed));
  for (const event of events) writer.append(event);
  await writer.durable();
  const turn = runTurn({
    message: "go",
    bound,
    events,
    signal: new AbortController().signal,
    services: {
      model: echoingModel(callsAStep),
      ids,
      clock: systemClock,
      random: seededRandom(seed),
      blobs: store.blobs,
      durable: () => writer.durable(),
      keep: () => Promise.resolve(),
    },
  });
  let results = 0;
  const ms = await timedMs(async () => {
    for await (const event of turn) {
      writer.append(event);
      if (event.type === "action.result" && event.data.status === "completed") results++;
    }
    await writer.durable();
  });
  if (results !== CALLS) throw new Error(`${results} of ${CALLS} calls were completed`);
  return ms;
}

/** A model that answers at once: so many calls a step until all were made, then a word. */
function echoingModel(callsAStep: number): LanguageModelV4 {
  let calls = 0;
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "echoing",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("it only streams")),
    doStream: () => {
      const parts: LanguageModelV4StreamPart[] = [];
      const isDone = calls >= CALLS;
      const last = Math.min(CALLS, calls + callsAStep);
      while (calls < last) parts.push(...echoCall(`call_${++calls}`));
      parts.push({
        type: "finish",
        finishReason: { unified: isDone ? "stop" : "tool-calls", raw: undefined },
        usage: USAGE,
      });
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return Promise.resolve({ stream });
    },
  };
}

function echoCall(toolCallId: string): LanguageModelV4StreamPart[] {
  const input = JSON.stringify({ text: toolCallId });
  return [
    { type: "tool-input-start", id: toolCallId, toolName: "echo" },
    { type: "tool-input-delta", id: toolCallId, delta: input },
    { type: "tool-input-end", id: toolCallId },
    { type: "tool-call", toolCallId, toolName: "echo", input },
  ];
}
