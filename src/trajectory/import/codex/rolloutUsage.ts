import type { Usage } from "../../../session";
import { addedUsage, usageSince } from "../draftUsage";
import type { SessionDraft } from "../importBuilder";
import { field, isRecord, jsonText, number } from "../jsonAccess";

/**
 * Which step each `token_count` belongs to. Codex has told it before the items of a response and after them: a step that
 * has its figures leaves what comes next to the step that follows.
 */
export class RolloutUsage {
  readonly #draft: SessionDraft;
  #waiting: Usage | undefined;
  #ofStep: Usage | undefined;
  #hasStep = false;
  #lastTotal = "";
  #totals: Usage | undefined;

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  stepBegan(): void {
    this.#hasStep = true;
    this.#ofStep = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#give(waiting);
  }

  /** A `token_count`'s figures. @returns whether they were the open step's */
  told(info: unknown): boolean {
    const last = usageFrom(field(info, "last_token_usage"));
    const total = field(info, "total_token_usage");
    if (isRecord(total)) {
      const text = jsonText(total);
      // Told again because something else has changed, such as the limits.
      if (text === this.#lastTotal) return false;
      this.#lastTotal = text;
    }
    const totals = usageFrom(total);
    const usage = last ?? (totals === undefined ? oldUsage(info) : usageSince(this.#totals, totals));
    if (totals !== undefined) this.#totals = totals;
    return usage === undefined ? false : this.#add(usage);
  }

  /** Totals of the thread so far. @returns whether they were the open step's */
  toldTotals(usage: unknown): boolean {
    const totals = usageFrom(usage);
    if (totals === undefined) return false;
    const since = usageSince(this.#totals, totals);
    this.#totals = totals;
    return this.#add(since);
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** The turn ends: what no step took is the last one's. */
  turnEnds(): void {
    const waiting = this.#waiting;
    if (waiting !== undefined && this.#hasStep) {
      this.#waiting = undefined;
      this.#give(addedUsage(this.#ofStep, waiting));
    }
    this.#hasStep = false;
    this.#ofStep = undefined;
  }

  #add(usage: Usage): boolean {
    if (this.#hasStep && this.#ofStep === undefined) {
      this.#give(usage);
      return true;
    }
    this.#waiting = addedUsage(this.#waiting, usage);
    return false;
  }

  #give(usage: Usage): void {
    this.#ofStep = usage;
    this.#draft.usage(usage, "per-call");
  }
}

function usageFrom(value: unknown): Usage | undefined {
  return figures(
    number(field(value, "input_tokens")),
    number(field(value, "output_tokens")),
    number(field(value, "cached_input_tokens")),
  );
}

/** As Codex told it before 0.51. */
function oldUsage(value: unknown): Usage | undefined {
  return usageFrom(value) ?? figures(number(field(value, "prompt")), number(field(value, "completion")), undefined);
}

function figures(
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  cacheReadTokens: number | undefined,
): Usage | undefined {
  const known = Object.entries({ inputTokens, outputTokens, cacheReadTokens }).filter(
    ([, figure]) => figure !== undefined,
  );
  return known.length === 0 ? undefined : (Object.fromEntries(known) as Usage);
}

/** Figures of a whole thread so far. */
export const usageOfThread: (usage: unknown) => Usage | undefined = usageFrom;
