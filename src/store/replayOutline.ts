import type { SessionEvent } from "../session";

/** A line of a session's outline: a message that begins a turn, or a step of it. */
export interface ReplayEntry {
  readonly id: string;
  readonly kind: "turn" | "step";
  /** The event it begins with. */
  readonly index: number;
  readonly label: string;
  /** What the step does: its tools, or that it answers. */
  readonly about: string;
  readonly isFailed: boolean;
}

interface DraftEntry {
  readonly id: string;
  readonly kind: "turn" | "step";
  readonly index: number;
  readonly label: string;
  about: string | undefined;
  isFailed: boolean;
  /** How often each tool was called. */
  readonly calls: Map<string, number>;
}

/** The outline of a session, built as its events go by: nothing of them is kept but the words of its lines. */
export class ReplayOutline {
  readonly #drafts: DraftEntry[] = [];
  readonly #open = new Map<string, DraftEntry>();
  #turnCount = 0;

  add(event: SessionEvent, index: number): void {
    switch (event.type) {
      case "turn.started": {
        const { turnId } = event.data;
        this.#open.clear();
        this.#begin({ id: turnId, kind: "turn", index, label: `Turn ${++this.#turnCount}` });
        break;
      }
      case "message.received": {
        const turn = this.#open.get(event.data.turnId);
        if (turn !== undefined && typeof event.data.message === "string")
          turn.about ??= event.data.message.slice(0, ABOUT_CHARACTERS);
        break;
      }
      case "step.started": {
        const { turnId, stepIndex } = event.data;
        this.#begin({ id: `${turnId}/${stepIndex}`, kind: "step", index, label: `Step ${stepIndex + 1}` });
        break;
      }
      case "actions.requested": {
        const step = this.#stepOf(event.data);
        for (const { toolName } of event.data.actions ?? [])
          step?.calls.set(toolName, (step.calls.get(toolName) ?? 0) + 1);
        break;
      }
      case "step.failed": {
        const step = this.#stepOf(event.data);
        if (step !== undefined) Object.assign(step, { isFailed: true, about: event.data.message });
        break;
      }
      case "turn.failed": {
        const turn = this.#open.get(event.data.turnId);
        if (turn !== undefined) turn.isFailed = true;
        break;
      }
      default:
    }
  }

  entries(): readonly ReplayEntry[] {
    return this.#drafts.map(({ calls, about, ...entry }) => ({
      ...entry,
      about: about ?? (entry.kind === "turn" ? "" : aboutCalls(calls)),
    }));
  }

  #begin(entry: Pick<DraftEntry, "id" | "kind" | "index" | "label">): void {
    const draft: DraftEntry = { ...entry, about: undefined, isFailed: false, calls: new Map() };
    this.#drafts.push(draft);
    this.#open.set(entry.id, draft);
  }

  #stepOf(data: { readonly turnId: string; readonly stepIndex: number }): DraftEntry | undefined {
    return this.#open.get(`${data.turnId}/${data.stepIndex}`);
  }
}

/** Characters of a message a line of the outline holds. */
const ABOUT_CHARACTERS = 500;

function aboutCalls(calls: ReadonlyMap<string, number>): string {
  if (calls.size === 0) return "answers";
  return [...calls].map(([name, count]) => (count === 1 ? name : `${name} × ${count}`)).join(", ");
}
