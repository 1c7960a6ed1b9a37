import { sha256HexSync, canonicalJson, type JsonObject, type JsonValue } from "../base";
import type { InputRequest, InputResolution, SessionEvent, ToolCallAction } from "./sessionEvent";

/** Where the last turn of a log stands, when it has not ended. */
export interface OpenTurn {
  readonly turnId: string;
  readonly sequence: number;
  readonly userMessageLogged: boolean;
  /** The last step and whether its end is in the log. */
  readonly step?: { readonly stepIndex: number; readonly ended: boolean };
  /** Calls of the last step in the order they were requested. */
  readonly actions: readonly ToolCallAction[];
  /** Ids of the calls that have their result. */
  readonly answered: ReadonlySet<string>;
  /** Requests a person has not answered. */
  readonly pending: readonly InputRequest[];
  /** Requests a person has answered, whose calls have no result yet. */
  readonly resolved: readonly { readonly request: InputRequest; readonly resolution: InputResolution }[];
  /** Whether the turn's own last word is that it waits. */
  readonly waiting: boolean;
  /** What calls have told of their output so far, by call. */
  readonly partials: ReadonlyMap<string, JsonValue>;
}

/** The turn a log ends in the middle of; `undefined` when its last turn is over, or it has none. */
export function openTurn(events: readonly SessionEvent[]): OpenTurn | undefined {
  const start = events.findLastIndex((event) => event.type === "turn.started");
  const started = events[start];
  if (started?.type !== "turn.started") return undefined;
  const { turnId, sequence } = started.data;
  const fold = new TurnFold();
  for (const event of events.slice(start + 1)) {
    if (event.type === "turn.completed" || event.type === "turn.failed" || event.type === "turn.cancelled") {
      return undefined;
    }
    fold.add(event);
  }
  return { turnId, sequence, ...fold.result() };
}

class TurnFold {
  #userMessageLogged = false;
  #step: { stepIndex: number; ended: boolean } | undefined;
  #actions: ToolCallAction[] = [];
  readonly #answered = new Set<string>();
  readonly #requests = new Map<string, InputRequest>();
  readonly #resolutions = new Map<string, InputResolution>();
  readonly #partials = new Map<string, JsonValue>();
  #waiting = false;

  add(event: SessionEvent): void {
    switch (event.type) {
      case "message.received":
        this.#userMessageLogged = true;
        break;
      case "turn.waiting":
        this.#waiting = true;
        break;
      case "step.started":
        this.#waiting = false;
        this.#step = { stepIndex: event.data.stepIndex, ended: false };
        this.#actions = [];
        break;
      case "step.completed":
      case "step.failed":
        if (this.#step) this.#step.ended = true;
        break;
      case "actions.requested":
        this.#actions.push(...event.data.actions);
        break;
      case "action.partial":
        this.#partials.set(event.data.result.callId, event.data.result.output);
        break;
      case "action.result":
        this.#answered.add(event.data.result.callId);
        break;
      case "input.requested":
        for (const request of event.data.requests) this.#requests.set(request.requestId, request);
        break;
      case "input.resolved":
        this.#waiting = false;
        for (const resolution of event.data.resolutions) this.#resolutions.set(resolution.requestId, resolution);
        break;
      // Nothing else moves a turn.
      default:
    }
  }

  result(): Omit<OpenTurn, "turnId" | "sequence"> {
    const open = [...this.#requests.values()].filter((request) => !this.#answered.has(waitingCallId(request)));
    return {
      userMessageLogged: this.#userMessageLogged,
      ...(this.#step === undefined ? {} : { step: this.#step }),
      actions: this.#actions,
      answered: this.#answered,
      pending: open.filter((request) => !this.#resolutions.has(request.requestId)),
      resolved: open.flatMap((request) => {
        const resolution = this.#resolutions.get(request.requestId);
        return resolution === undefined ? [] : [{ request, resolution }];
      }),
      waiting: this.#waiting,
      partials: this.#partials,
    };
  }
}

/** The call of this session that waits for an answer: the one it is about, or that of the subagent which asks. */
export function waitingCallId({ action, task }: InputRequest): string {
  return task?.callId ?? action.callId;
}

/** What an approval is bound to beside the call's id. */
export function inputHash(input: JsonObject): string {
  return sha256HexSync(canonicalJson(input));
}

/** Tools a person has allowed for the whole session, by name. */
export function allowedTools(events: readonly SessionEvent[]): ReadonlySet<string> {
  const toolNames = new Map<string, string>();
  const allowed = new Set<string>();
  for (const event of events) {
    if (event.type === "input.requested") {
      for (const request of event.data.requests) toolNames.set(request.requestId, request.action.toolName);
    } else if (event.type === "input.resolved") {
      for (const { requestId, outcome, response } of event.data.resolutions) {
        const toolName = toolNames.get(requestId);
        if (outcome === "approved" && response?.["optionId"] === "always" && toolName !== undefined) {
          allowed.add(toolName);
        }
      }
    }
  }
  return allowed;
}
