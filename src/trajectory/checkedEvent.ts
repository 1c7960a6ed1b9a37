import type { SessionEvent, SessionEventType } from "../session";

type Kind = "string" | "number" | "object" | "any" | `list of ${string}`;
type Shape = Readonly<Record<string, Kind>>;

const TURN: Shape = { turnId: "string", sequence: "number" };
const STEP: Shape = { ...TURN, stepIndex: "number" };

/** What an event of a type must hold for the fold and the prompt to read it; all else may be missing or new. */
const REQUIRED: Readonly<Record<SessionEventType, Shape>> = {
  "session.started": {},
  "ab.assigned": { name: "string", variant: "string", label: "string" },
  "tree.changed": { reason: "string", changes: "list of path" },
  "agent.changed": { definitionHash: "string" },
  "log.damaged": { lostCount: "number" },
  "import.source": { format: "string", version: "string" },
  "import.entry": { kind: "string" },
  "compaction.requested": STEP,
  "compaction.completed": STEP,
  "turn.started": TURN,
  "message.received": { ...TURN, message: "string" },
  "step.started": { ...STEP, modelId: "string" },
  "step.retried": { ...STEP, attempt: "number", reason: "string", code: "string", delayMs: "number" },
  "reasoning.appended": { ...STEP, reasoningDelta: "string" },
  "reasoning.completed": { ...STEP, reasoning: "string" },
  "message.appended": { ...STEP, messageDelta: "string" },
  "message.completed": { ...STEP, message: "string" },
  "action.input.appended": { ...STEP, callId: "string", toolName: "string", inputTextDelta: "string" },
  "actions.requested": { ...STEP, actions: "list of callId toolName input" },
  "input.requested": { ...STEP, requests: "list of requestId action" },
  "input.resolved": { ...STEP, resolutions: "list of requestId outcome" },
  "action.partial": { ...STEP, result: "object", "result.callId": "string", "result.toolName": "string" },
  "action.result": {
    ...STEP,
    status: "string",
    result: "object",
    "result.callId": "string",
    "result.toolName": "string",
    "result.output": "any",
  },
  "step.completed": STEP,
  "step.failed": { ...STEP, code: "string", message: "string" },
  "turn.waiting": TURN,
  "turn.completed": TURN,
  "turn.failed": { ...TURN, code: "string", message: "string" },
  "turn.cancelled": TURN,
  "session.waiting": {},
  "session.completed": {},
  "session.failed": { code: "string", message: "string" },
};

/** Fields of list entries that are objects; the others are strings. */
const OBJECT_FIELDS = new Set(["input", "action"]);

/**
 * A parsed line as an event, or why it is none. Types and fields this version does not know are kept as they are; a
 * missing envelope is filled with what says that it is missing.
 */
export function checkedEvent(value: unknown): { readonly event: SessionEvent } | { readonly problem: string } {
  if (!isObject(value)) return { problem: "the line is no JSON object" };
  if (typeof value["type"] !== "string") return { problem: "the object has no type" };
  const data = value["data"] ?? {};
  if (!isObject(data)) return { problem: `the data of ${value["type"]} is no object` };
  const known = Object.hasOwn(REQUIRED, value["type"]) ? REQUIRED[value["type"] as SessionEventType] : {};
  for (const [path, kind] of Object.entries(known)) {
    if (!fits(fieldAt(data, path), kind)) return { problem: `${value["type"]} has no usable field ${path}` };
  }
  const meta = isObject(value["meta"]) ? value["meta"] : {};
  const envelope = { id: textOr(meta["id"], ""), at: textOr(meta["at"], "") };
  return { event: { ...value, data, meta: { ...meta, ...envelope } } as unknown as SessionEvent };
}

function fieldAt(data: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = data;
  for (const name of path.split(".")) value = isObject(value) ? value[name] : undefined;
  return value;
}

function fits(value: unknown, kind: Kind): boolean {
  if (kind === "any") return value !== undefined;
  if (kind === "object") return isObject(value);
  if (kind === "string" || kind === "number") return typeof value === kind;
  const names = kind.slice("list of ".length).split(" ");
  return Array.isArray(value) && value.every((entry) => isObject(entry) && names.every((name) => isField(entry, name)));
}

function isField(entry: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = entry[name];
  if (name === "action") return isObject(value) && typeof value["callId"] === "string";
  return OBJECT_FIELDS.has(name) ? isObject(value) : typeof value === "string";
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
