import type { JsonObject } from "../../base";
import type { CallOutcome } from "./conversation";

/** A tool call to be made; `input` is a text only where an exact call is reproduced. */
export interface PlannedCall {
  readonly toolName: string;
  readonly input: JsonObject | string;
}

/** What the planner says and calls in one step. */
export interface PlannedStep {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/**
 * A plan is written as if each step's results came back at once: it yields a step and is given the outcomes of its
 * calls, in order.
 */
export type Plan<T> = Generator<PlannedStep, T, readonly CallOutcome[]>;

export type PlanProgress<T> = { readonly next: PlannedStep } | { readonly done: T };

/**
 * Runs a plan from its start over the steps already made and stops at the first that was not. The planner keeps
 * nothing between calls: whatever a plan knows comes from these outcomes.
 */
export function progressOf<T>(plan: Plan<T>, past: readonly (readonly CallOutcome[])[]): PlanProgress<T> {
  let state = plan.next();
  for (const outcomes of past) {
    if (state.done) break;
    state = plan.next(outcomes);
  }
  return state.done ? { done: state.value } : { next: state.value };
}

/** Ends a plan early: the tool is off, the instructions forbid it, they ask for a word first, or the calls are used up. */
export class PlanStop extends Error {
  readonly reason: "refused" | "ask" | "budget";

  constructor(reason: PlanStop["reason"], message: string) {
    super(message);
    this.name = "PlanStop";
    this.reason = reason;
  }
}
