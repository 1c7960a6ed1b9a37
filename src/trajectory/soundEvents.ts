import type { JsonValue } from "../base";
import type { SessionEvent } from "../session";
import { checkedEvent } from "./checkedEvent";

/** What a field may be: the value as it may be used, or nothing. */
type Field = (value: unknown) => unknown;
type Shape = Readonly<Record<string, Field>>;

const text: Field = (value) => (typeof value === "string" ? value : undefined);
const number: Field = (value) => (typeof value === "number" ? value : undefined);
const flag: Field = (value) => (typeof value === "boolean" ? value : undefined);
const plainObject: Field = (value) => (isObject(value) ? value : undefined);

/** An object whose fields are such as named; others stay. `undefined` where one of `needed` is missing. */
function object(shape: Shape, needed: readonly string[] = []): Field {
  return (value) => {
    if (!isObject(value)) return undefined;
    const sound = withShape(value, shape);
    return needed.every((name) => sound[name] !== undefined) ? sound : undefined;
  };
}

/** A list of such entries; those that are none are left out. */
function list(entry: Field): Field {
  return (value) =>
    Array.isArray(value) ? (value as readonly unknown[]).map(entry).filter((each) => each !== undefined) : undefined;
}

const tools = list(
  object({ name: text, description: (value) => text(value) ?? "", inputSchema: (value) => plainObject(value) ?? {} }, [
    "name",
  ]),
);
const changes = list(object({ path: text, before: text, after: text, sizeBytes: number }, ["path"]));
const action = object({ inputText: text, providerMetadata: plainObject, mcp: plainObject });

/** Fields that readers go by although an event may lack them; what `checkedEvent` demands is not among them. */
const SHAPES: Readonly<Record<string, Shape>> = {
  "session.started": {
    runtime: (value) =>
      object({ agentName: text, agentId: (id) => text(id) ?? "" })(value) ?? { agentId: "", eveVersion: "" },
    predecessor: plainObject,
    playground: object(
      {
        sessionId: (id) => text(id) ?? "",
        definition: (value) => plainObject(value) ?? {},
        tools: (value) => tools(value) ?? [],
        seed: text,
        task: plainObject,
      },
      [],
    ),
  },
  "import.source": {
    session: (value) =>
      object({
        id: (id) => text(id) ?? "",
        title: text,
        agentName: text,
        agentVersion: text,
        modelId: text,
        cwd: text,
        instructions: text,
        tools,
        parent: object({ sessionId: text, callId: text }, ["sessionId"]),
      })(value) ?? { id: "" },
  },
  "tree.changed": { changes },
  "message.received": { parts: list(plainObject) },
  "step.started": { request: object({ hash: text, blob: text }, ["hash", "blob"]) },
  "reasoning.completed": { providerMetadata: plainObject },
  "message.completed": { providerMetadata: plainObject, finishReason: (value) => text(value) ?? "other" },
  "actions.requested": { actions: list(action) },
  "input.requested": { requests: list(object({ task: plainObject })) },
  "input.resolved": { resolutions: list(object({ response: plainObject })) },
  "action.result": {
    error: object({ code: text, message: text }, ["code", "message"]),
    changes,
    evidence: list(object({ path: text, blob: text, known: text, sizeBytes: number }, ["path", "blob", "known"])),
    durationMs: number,
    stub: flag,
    truncated: flag,
    absent: flag,
  },
  "step.completed": {
    finishReason: (value) => text(value) ?? "other",
    usage: object({
      inputTokens: number,
      outputTokens: number,
      cacheReadTokens: number,
      cacheWriteTokens: number,
      costUsd: number,
    }),
  },
  "compaction.completed": { summary: text },
  "import.entry": { kind: (value) => text(value) ?? "", raw: (value) => value ?? null },
};

/** The log with every field that is of no kind its readers know taken out: an import may hold anything in any of them. */
export function soundEvents(events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((event) => {
    const shape = Object.hasOwn(SHAPES, event.type) ? SHAPES[event.type] : undefined;
    if (shape === undefined) return event;
    return {
      ...event,
      data: withShape(event.data as unknown as Record<string, unknown>, shape),
    } as unknown as SessionEvent;
  });
}

/** The events of a log inside a value, such as a subagent's; what is no event is left out. */
export function soundLog(values: readonly JsonValue[]): SessionEvent[] {
  return soundEvents(
    values.flatMap((value) => {
      const found = checkedEvent(value);
      return "event" in found ? [found.event] : [];
    }),
  );
}

function withShape(value: Readonly<Record<string, unknown>>, shape: Shape): Record<string, unknown> {
  const sound: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(shape)) {
    const found = field(sound[name]);
    if (found === undefined) delete sound[name];
    else sound[name] = found;
  }
  return sound;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
