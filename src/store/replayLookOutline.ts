import { isUnder } from "../fs";
import type { JsonObject, JsonValue } from "../base";
import type { EventData, SessionEvent, SessionEventOf } from "../session";
import { recordedChanges } from "../trajectory";
import { ownText } from "./replayLookText";
import { aboutCall } from "./sessionCallSummary";

export type OutlineKind =
  | "turn"
  | "step"
  | "reasoning"
  | "answer"
  | "call"
  | "subagent"
  | "compaction"
  | "interruption"
  | "note"
  | "entry";

/** A line of the outline of a session: small, however large what it stands for is. */
export interface OutlineNode {
  /** Unique within its session. */
  readonly id: string;
  readonly kind: OutlineKind;
  /** 1 for a turn, and deeper from there. */
  readonly level: number;
  /** The event it begins with. */
  readonly index: number;
  readonly label: string;
  about: string;
  isFailed: boolean;
  readonly toolName?: string;
  readonly callId?: string;
  /** Paths it changed, and prefixes of the mounts that served it. */
  changed: readonly string[];
  mounts: readonly string[];
  /** Milliseconds since 1970; absent where the recording tells no time. */
  readonly startMs?: number;
  endMs?: number;
  /** Of a call, what was measured of it alone. */
  durationMs?: number;
  /** The last event about it. */
  endIndex: number;
  /** Set where the line is of another session that is read here, or names one. */
  readonly sessionId?: string;
}

/** Characters of what a line says. */
const ABOUT_CHARACTERS = 160;

const STEP_ENDS: ReadonlySet<string> = new Set(["step.completed", "step.failed"]);
const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.cancelled"]);

/** Reads a session's events, one after the other, to the lines of its outline. Never throws. */
export class OutlineFold {
  readonly nodes: OutlineNode[] = [];
  /** Milliseconds since 1970 of the first event that tells its time: what a replay counts from. */
  firstMs: number | undefined;
  readonly #level: number;
  readonly #prefix: string;
  /** Of a log inside another: the event of that one in which it stands. */
  readonly #within: number | undefined;
  readonly #calls = new Map<string, OutlineNode>();
  #turn: OutlineNode | undefined;
  #step: OutlineNode | undefined;
  #turns = 0;

  constructor({ level = 1, prefix = "", within }: { level?: number; prefix?: string; within?: number } = {}) {
    this.#level = level;
    this.#prefix = prefix;
    this.#within = within;
  }

  add(event: SessionEvent, place: number): void {
    const index = this.#within ?? place;
    const at = timeOf(event);
    this.firstMs ??= at;
    if (event.type === "turn.started") this.#turn = undefined;
    if (event.type === "turn.started" || event.type === "step.started") this.#step = undefined;
    for (const open of [this.#turn, this.#step]) {
      if (open === undefined) continue;
      open.endIndex = index;
      if (at !== undefined) open.endMs = at;
    }
    try {
      this.#add(event, index, at);
    } catch {
      // An imported event may lack what its type promises; the log itself shows it.
    }
    if (STEP_ENDS.has(event.type)) this.#step = undefined;
    if (TURN_ENDS.has(event.type)) this.#turn = undefined;
  }

  #add(event: SessionEvent, index: number, at: number | undefined): void {
    const node = (kind: OutlineKind, label: string, about: string, more: Partial<OutlineNode> = {}) =>
      this.#push(kind, index, at, { label, about, ...more });
    switch (event.type) {
      case "turn.started":
        this.#turn = node("turn", `Turn ${++this.#turns}`, "");
        break;
      case "message.received":
        if (this.#turn?.about === "") this.#turn.about = short(event.data.message);
        else node("note", "Message", short(event.data.message));
        break;
      case "step.started":
        this.#step = node("step", `Step ${event.data.stepIndex + 1}`, "");
        break;
      case "reasoning.completed":
        if (event.data.reasoning.trim() !== "") node("reasoning", "Reasoning", short(event.data.reasoning));
        break;
      case "message.completed":
        if (event.data.message.trim() === "") break;
        node("answer", "Says", short(event.data.message));
        this.#says("answers");
        break;
      case "actions.requested":
        for (const action of event.data.actions) this.#call(action, index, at);
        break;
      case "action.result":
        this.#result(event, index, at);
        break;
      case "import.entry":
        node("entry", event.data.kind, event.meta.replay === false ? "copied context" : "");
        break;
      default:
        this.#addMark(event, index, at);
    }
  }

  #addMark(event: SessionEvent, index: number, at: number | undefined): void {
    const node = (kind: OutlineKind, label: string, about: string, isFailed = false) =>
      this.#push(kind, index, at, { label, about, isFailed });
    switch (event.type) {
      case "compaction.completed":
        node("compaction", "Compacted", short(event.data.summary ?? "what came before stands in a summary now"));
        break;
      case "step.failed":
        if (this.#step !== undefined) {
          this.#step.isFailed = true;
          this.#step.about = short(event.data.message);
        }
        break;
      case "step.retried":
        node("note", "Tried again", short(event.data.reason));
        break;
      case "turn.failed":
        if (this.#turn !== undefined) this.#turn.isFailed = true;
        node("interruption", "Failed", short(event.data.message), true);
        break;
      case "turn.cancelled":
        node("interruption", "Interrupted", "");
        break;
      case "tree.changed":
        this.#push("note", index, at, {
          label: event.data.reason === "mounts" ? "Mounts" : "Edited",
          about: short(event.data.changes.map(({ path }) => path).join(", ")),
          changed: event.data.changes.map(({ path }) => path),
        });
        break;
      case "input.requested":
        for (const request of event.data.requests) node("note", "Asks", short(request.prompt));
        break;
      case "log.damaged":
        if (event.data.lostCount > 0) node("note", "Damaged", `${event.data.lostCount} events cannot be read`, true);
        break;
      // What is left is told by the lines there are.
      default:
    }
  }

  #call(action: EventData["actions.requested"]["actions"][number], index: number, at: number | undefined): void {
    const { callId, toolName, input, inputText } = action;
    const call = this.#push("call", index, at, {
      label: toolName,
      about: short(inputText ?? aboutCall(toolName, input).about),
      toolName,
      callId,
    });
    this.#calls.set(callId, call);
    this.#says(toolName);
  }

  #result(told: SessionEventOf<"action.result">, index: number, at: number | undefined): void {
    const { data } = told;
    const call = this.#calls.get(data.result.callId);
    if (call === undefined) return;
    call.endIndex = index;
    call.isFailed = data.status !== "completed";
    call.changed = recordedChanges(told).map(({ path }) => path);
    call.mounts = [...new Set((data.served ?? []).map(({ mount }) => mount))];
    if (at !== undefined) call.endMs = at;
    else if (data.durationMs !== undefined && call.startMs !== undefined) call.endMs = call.startMs + data.durationMs;
    if (data.durationMs !== undefined) call.durationMs = data.durationMs;
    const inner = logWithin(data.result.output);
    if (inner.length === 0) return;
    const fold = new OutlineFold({ level: call.level + 1, prefix: `${call.id}/`, within: index });
    for (const event of inner) fold.add(event, index);
    // Its lines stand below the call, wherever other calls of the step were begun meanwhile.
    this.nodes.splice(this.nodes.lastIndexOf(call) + 1, 0, ...fold.nodes);
  }

  #says(what: string): void {
    if (this.#step === undefined || this.#step.isFailed) return;
    const { about } = this.#step;
    if (about === "" || about === "answers") this.#step.about = what;
    else if (what !== "answers" && about.length < ABOUT_CHARACTERS) this.#step.about = `${about}, ${what}`;
  }

  #push(
    kind: OutlineKind,
    index: number,
    startMs: number | undefined,
    more: Partial<OutlineNode> & Pick<OutlineNode, "label" | "about">,
  ): OutlineNode {
    const depth = kind === "turn" ? 0 : kind === "step" || this.#step === undefined ? 1 : 2;
    const node: OutlineNode = {
      id: `${this.#prefix}${this.nodes.length}`,
      kind,
      level: this.#level + (kind !== "turn" && this.#turn === undefined ? 0 : depth),
      index,
      isFailed: false,
      changed: [],
      mounts: [],
      endIndex: index,
      ...(startMs === undefined ? {} : { startMs, endMs: startMs }),
      ...more,
    };
    this.nodes.push(node);
    return node;
  }
}

/** The event to go to for a line: of a call its result, with which there is to be seen what it did. */
export function targetOf({ kind, index, endIndex }: OutlineNode): number {
  return kind === "call" ? endIndex : index;
}

/** The lines with those of other sessions below the calls they worked for. */
export function withSubagents(
  nodes: readonly OutlineNode[],
  children: readonly OutlineChild[],
  read: ReadonlyMap<string, readonly OutlineNode[]>,
): readonly OutlineNode[] {
  if (children.length === 0) return nodes;
  const byCall = new Map<string, OutlineChild[]>();
  for (const child of children) byCall.set(child.callId ?? "", [...(byCall.get(child.callId ?? "") ?? []), child]);
  const rows: OutlineNode[] = [];
  for (const node of nodes) {
    rows.push(node);
    if (node.callId === undefined) continue;
    for (const child of byCall.get(node.callId) ?? []) rows.push(...childRows(child, node.level + 1, node, read));
    byCall.delete(node.callId);
  }
  // Those whose call the recording does not name.
  for (const child of [...byCall.values()].flat()) rows.push(...childRows(child, 1, undefined, read));
  return rows;
}

/** A session that worked for a call of another. */
export interface OutlineChild {
  readonly sessionId: string;
  readonly callId?: string;
  readonly name: string;
  readonly eventCount: number;
}

function childRows(
  { sessionId, name, eventCount }: OutlineChild,
  level: number,
  call: OutlineNode | undefined,
  read: ReadonlyMap<string, readonly OutlineNode[]>,
): OutlineNode[] {
  const head: OutlineNode = {
    id: `subagent:${sessionId}`,
    kind: "subagent",
    level,
    index: call?.index ?? 0,
    endIndex: call?.endIndex ?? 0,
    label: "Subagent",
    about: `${name} · ${eventCount.toLocaleString("en")} events`,
    isFailed: false,
    changed: [],
    mounts: [],
    sessionId,
    // Until its own log is read: it ran while its call did.
    ...(call?.startMs === undefined ? {} : { startMs: call.startMs, endMs: call.endMs ?? call.startMs }),
  };
  const own = read.get(sessionId) ?? [];
  return [
    head,
    ...own.map((node) => ({ ...node, id: `${sessionId}/${node.id}`, level: node.level + level, sessionId })),
  ];
}

/** Whether a file it changed or a mount that served it is under a prefix. */
export function isOfMount(node: OutlineNode, prefix: string): boolean {
  return node.mounts.includes(prefix) || node.changed.some((path) => isUnder(path, prefix));
}

/** The log of a subagent that a call answers with. */
function logWithin(output: JsonValue | undefined): readonly SessionEvent[] {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return [];
  const events: unknown = (output as JsonObject)["events"];
  return Array.isArray(events) ? (events as readonly SessionEvent[]) : [];
}

function timeOf({ meta }: SessionEvent): number | undefined {
  const at = meta.time === "missing" ? Number.NaN : Date.parse(meta.at);
  return Number.isNaN(at) ? undefined : at;
}

/** The first line, cut short. */
function short(text: string): string {
  const [line = ""] = text
    .slice(0, 4 * ABOUT_CHARACTERS)
    .trim()
    .split("\n", 1);
  return ownText(line.slice(0, ABOUT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ""));
}
