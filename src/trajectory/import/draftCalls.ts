import type { ToolCallAction } from "../../session";
import type { DraftEvent } from "./draftEvent";

/** A call of a session that is being written down. */
export interface DraftCall {
  readonly action: ToolCallAction;
  /** The id the recording has for it, which another call may have too. */
  readonly recordedId: string;
  readonly place: { readonly turnId: string; readonly sequence: number; readonly stepIndex: number };
  result?: DraftEvent<"action.result">;
  /** Set when its result only says that the recording holds none. */
  isClosedForLack?: boolean;
  /** What was said when a person refused it. */
  denied?: string;
}

interface CutTurn {
  readonly end: DraftEvent<"turn.failed">;
  readonly lacking: Set<DraftCall>;
}

/** The calls of a session, found by the ids of the recording. */
export class DraftCalls {
  readonly #latest = new Map<string, DraftCall>();
  readonly #ids = new Set<string>();
  /** In the order of the calls. */
  readonly #open = new Set<DraftCall>();
  readonly #cut = new Map<string, CutTurn>();
  #madeCount = 0;
  count = 0;

  madeId(): string {
    return `call_${this.#madeCount++}`;
  }

  /** The id, or the first like it that no call has yet. */
  freeId(id: string): string {
    if (!this.#ids.has(id)) return id;
    let number = this.#ids.size;
    while (this.#ids.has(`${id}/${number}`)) number++;
    return `${id}/${number}`;
  }

  add(call: DraftCall): void {
    this.count++;
    this.#ids.add(call.action.callId);
    this.#latest.set(call.recordedId, call);
    this.#latest.set(call.action.callId, call);
    this.#open.add(call);
  }

  /** The call of an id; without one the oldest open call, of that name where one is given. */
  find(callId: string | undefined, toolName: string | undefined): DraftCall | undefined {
    if (callId !== undefined && callId !== "") return this.#latest.get(callId);
    for (const call of this.open()) if (toolName === undefined || call.action.toolName === toolName) return call;
    return undefined;
  }

  /** Calls without a result, in their order. */
  open(): readonly DraftCall[] {
    for (const call of this.#open) if (call.result !== undefined) this.#open.delete(call);
    return [...this.#open];
  }

  /** A turn ended with calls that have no result. */
  cutTurn(lacking: readonly DraftCall[], end: DraftEvent<"turn.failed">): void {
    this.#cut.set(end.data.turnId, { end, lacking: new Set(lacking) });
  }

  /** A result of such a call came after all; a turn whose calls all have one has ended. */
  mendTurn(call: DraftCall): void {
    const cut = this.#cut.get(call.place.turnId);
    if (cut === undefined || !cut.lacking.delete(call) || cut.lacking.size > 0) return;
    const { turnId, sequence } = cut.end.data;
    Object.assign(cut.end, { type: "turn.completed", data: { turnId, sequence } });
  }
}
