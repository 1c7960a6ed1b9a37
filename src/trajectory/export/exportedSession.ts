import type { JsonObject, JsonValue } from "../../base";
import type { EventData, OfferedTool, SessionEvent, SessionEventOf, ToolCallAction, Usage } from "../../session";
import { taskLogOf } from "../reexecute/recordedCalls";

/** A session with what others need to place it. */
export interface SessionToExport {
  readonly id: string;
  readonly title?: string;
  readonly events: readonly SessionEvent[];
  /** The session it works for, and the call there. */
  readonly parent?: { readonly sessionId: string; readonly callId?: string };
}

/** What other formats tell of a session, read from its log once for all of them. */
export interface ExportedSession {
  readonly id: string;
  readonly title: string | undefined;
  readonly agentName: string;
  readonly agentVersion: string | undefined;
  readonly modelId: string | undefined;
  readonly instructions: string | undefined;
  readonly tools: readonly OfferedTool[];
  readonly parent: SessionToExport["parent"];
  readonly turns: readonly ExportedTurn[];
  /** What stands before the first turn. */
  readonly notes: readonly ExportedNote[];
}

export interface ExportedTurn {
  readonly turnId: string;
  readonly startedAt: ExportedTime;
  endedAt: ExportedTime;
  readonly entries: (ExportedMessage | ExportedStep | ExportedNote)[];
  status: "completed" | "failed" | "cancelled" | "open";
  failure?: { readonly code: string; readonly message: string };
  /** Stands round calls that were made outside of any turn. */
  readonly isSynthetic?: true;
}

/** ISO-8601; `isKnown` is false where the recording told no time and this one stands in. */
export interface ExportedTime {
  readonly at: string;
  readonly isKnown: boolean;
}

export interface ExportedMessage {
  readonly kind: "message";
  readonly time: ExportedTime;
  readonly text: string;
  readonly parts: readonly JsonObject[];
}

export interface ExportedStep {
  readonly kind: "step";
  readonly time: ExportedTime;
  readonly stepIndex: number;
  readonly modelId: string;
  readonly reasoning: string[];
  readonly texts: string[];
  readonly calls: ExportedCall[];
  finishReason?: string;
  usage?: Usage;
  failure?: { readonly code: string; readonly message: string };
}

export interface ExportedCall {
  readonly action: ToolCallAction;
  readonly requestedAt: ExportedTime;
  result?: EventData["action.result"];
  resultAt?: ExportedTime;
}

/** A summary that stands for the history before it, or an entry nothing here reads. */
export interface ExportedNote {
  readonly kind: "compaction" | "entry";
  readonly time: ExportedTime;
  readonly name: string;
  readonly text: string;
}

/** Reads a log for the formats of others. Copied context is left out: it was no part of what ran. Never throws. */
export function exportedSession(session: SessionToExport): ExportedSession {
  const fold = new SessionFold();
  for (const event of session.events) if (event.meta.replay !== false) fold.add(event);
  return {
    ...fold.about(),
    ...fold.content(),
    id: session.id,
    title: session.title ?? fold.about().title,
    parent: session.parent,
  };
}

/** The sessions and, behind each, those whose log stands in a call of it, as a subagent's does here. */
export function withSubagents(sessions: readonly SessionToExport[]): SessionToExport[] {
  return sessions.flatMap((session) => [
    session,
    ...session.events.flatMap((event) => {
      if (event.type !== "action.result") return [];
      const { callId, output } = event.data.result;
      const events = taskLogOf(output);
      const start = events.find(({ type }) => type === "session.started");
      if (events.length === 0) return [];
      const own = start?.type === "session.started" ? start.data.playground?.sessionId : undefined;
      const id = own ?? `${session.id}/${callId}`;
      return withSubagents([{ id, events, parent: { sessionId: session.id, callId } }]);
    }),
  ]);
}

/** What a result says, as text: of a failed one why it failed, of a subagent's its last word. */
export function resultText(result: EventData["action.result"]): string {
  if (result.status !== "completed" && result.error !== undefined) return result.error.message;
  const { output } = result.result;
  if (taskLogOf(output).length > 0) {
    const { message } = output as JsonObject;
    return typeof message === "string" ? message : "";
  }
  return plainText(output);
}

/** A value as other formats hold it where they want a text. Texts among parts come one below the other. */
export function plainText(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0) {
    const parts = (value as readonly JsonValue[]).map(partText);
    if (parts.every((part) => part !== undefined)) return parts.join("\n");
  }
  return JSON.stringify(value);
}

function partText(part: JsonValue): string | undefined {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return undefined;
  const { type, text } = part as JsonObject;
  if (type === "text" && typeof text === "string") return text;
  return type === "image" ? imageText(part as JsonObject) : undefined;
}

/** Stands for an image where there is room for text only. */
export function imageText({ mediaType, sizeBytes }: JsonObject): string {
  const size = typeof sizeBytes === "number" ? `, ${sizeBytes} bytes` : "";
  return `[image: ${typeof mediaType === "string" ? mediaType : "unknown type"}${size}]`;
}

export function timeOf({ meta }: SessionEvent): ExportedTime {
  return { at: meta.at, isKnown: meta.at !== "" && meta.time !== "missing" };
}

type About = Pick<ExportedSession, "title" | "agentName" | "agentVersion" | "modelId" | "instructions" | "tools">;

class SessionFold {
  #about: About = {
    title: undefined,
    agentName: "agent",
    agentVersion: undefined,
    modelId: undefined,
    instructions: undefined,
    tools: [],
  };
  readonly #turns: ExportedTurn[] = [];
  readonly #notes: ExportedNote[] = [];
  readonly #calls = new Map<string, ExportedCall>();
  #step: ExportedStep | undefined;

  about(): About {
    return { ...this.#about, modelId: this.#about.modelId ?? this.#firstModel() };
  }

  content(): Pick<ExportedSession, "turns" | "notes"> {
    return { turns: this.#turns, notes: this.#notes };
  }

  add(event: SessionEvent): void {
    const turn = this.#turns.at(-1);
    if (turn !== undefined && event.meta.at !== "") turn.endedAt = timeOf(event);
    switch (event.type) {
      case "session.started":
        this.#started(event.data);
        break;
      case "import.source":
        this.#source(event.data.session);
        break;
      case "turn.started":
        this.#turns.push(newTurn(event.data.turnId, timeOf(event)));
        this.#step = undefined;
        break;
      case "message.received":
        turn?.entries.push({
          kind: "message",
          time: timeOf(event),
          text: event.data.message,
          parts: event.data.parts ?? [],
        });
        break;
      case "turn.completed":
      case "turn.cancelled":
        if (turn !== undefined) turn.status = event.type === "turn.completed" ? "completed" : "cancelled";
        break;
      case "turn.failed":
        if (turn !== undefined) {
          turn.status = "failed";
          turn.failure = { code: event.data.code, message: event.data.message };
        }
        break;
      case "compaction.completed":
        this.#note({ kind: "compaction", time: timeOf(event), name: "compaction", text: event.data.summary ?? "" });
        break;
      case "import.entry":
        this.#note({
          kind: "entry",
          time: timeOf(event),
          name: event.data.kind,
          text: plainText(event.data.raw),
        });
        break;
      default:
        this.#inStep(event);
    }
  }

  #inStep(event: SessionEvent): void {
    switch (event.type) {
      case "step.started": {
        const { stepIndex, modelId } = event.data;
        this.#step = { kind: "step", time: timeOf(event), stepIndex, modelId, reasoning: [], texts: [], calls: [] };
        this.#turns.at(-1)?.entries.push(this.#step);
        break;
      }
      case "reasoning.completed":
        this.#step?.reasoning.push(event.data.reasoning);
        break;
      case "message.completed":
        this.#step?.texts.push(event.data.message);
        break;
      case "actions.requested":
        this.#requested(event);
        break;
      case "action.result": {
        const call = this.#calls.get(event.data.result.callId) ?? this.#calledAlone(event);
        if (call === undefined) break;
        call.result = event.data;
        call.resultAt = timeOf(event);
        break;
      }
      case "step.completed":
        if (this.#step === undefined) break;
        this.#step.finishReason = event.data.finishReason;
        if (event.data.usage !== undefined) this.#step.usage = event.data.usage;
        break;
      case "step.failed":
        if (this.#step !== undefined) this.#step.failure = { code: event.data.code, message: event.data.message };
        break;
      // Pieces of texts are in their ends; what people answered is in the results.
      default:
    }
  }

  #requested(event: SessionEventOf<"actions.requested">): void {
    const calls = this.#callsAt(event);
    for (const action of event.data.actions) {
      const call: ExportedCall = { action, requestedAt: timeOf(event) };
      this.#calls.set(action.callId, call);
      calls.push(call);
    }
  }

  /** A result may be all that is told of a call made outside of a turn; within one it answers none. */
  #calledAlone(event: SessionEventOf<"action.result">): ExportedCall | undefined {
    if (this.#isInTurn()) return undefined;
    const { callId, toolName } = event.data.result;
    const call: ExportedCall = {
      action: { kind: "tool-call", callId, toolName, input: {} },
      requestedAt: timeOf(event),
    };
    this.#callsAt(event).push(call);
    return call;
  }

  /** Where calls asked for now belong: the open step, else one made for them. */
  #callsAt(event: SessionEvent): ExportedCall[] {
    if (!this.#isInTurn()) {
      this.#turns.push({ ...newTurn(`outside_${this.#turns.length}`, timeOf(event)), isSynthetic: true });
      this.#step = undefined;
    }
    if (this.#step === undefined) {
      this.#step = {
        kind: "step",
        time: timeOf(event),
        stepIndex: 0,
        modelId: "",
        reasoning: [],
        texts: [],
        calls: [],
      };
      this.#turns.at(-1)?.entries.push(this.#step);
    }
    return this.#step.calls;
  }

  #isInTurn(): boolean {
    const turn = this.#turns.at(-1);
    return turn?.status === "open" && turn.isSynthetic !== true;
  }

  #note(note: ExportedNote): void {
    const turn = this.#turns.at(-1);
    if (turn === undefined) this.#notes.push(note);
    else turn.entries.push(note);
  }

  #started({ runtime, playground }: EventData["session.started"]): void {
    const definition = playground?.definition ?? {};
    const instructions = definition["instructions"];
    const name = runtime.agentName ?? runtime.agentId;
    this.#about = {
      ...this.#about,
      agentName: name === "" ? this.#about.agentName : name,
      instructions: typeof instructions === "string" ? instructions : this.#about.instructions,
      tools: playground?.tools ?? this.#about.tools,
    };
  }

  #source(session: EventData["import.source"]["session"]): void {
    this.#about = {
      title: session.title,
      agentName: session.agentName ?? this.#about.agentName,
      agentVersion: session.agentVersion,
      modelId: session.modelId,
      instructions: session.instructions ?? this.#about.instructions,
      tools: session.tools ?? this.#about.tools,
    };
  }

  #firstModel(): string | undefined {
    for (const { entries } of this.#turns)
      for (const entry of entries) if (entry.kind === "step" && entry.modelId !== "") return entry.modelId;
    return undefined;
  }
}

function newTurn(turnId: string, startedAt: ExportedTime): ExportedTurn {
  return { turnId, startedAt, endedAt: startedAt, entries: [], status: "open" };
}
