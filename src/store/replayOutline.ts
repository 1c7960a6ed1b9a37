import type { SessionState, StepState } from "../session";

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

/** The outline of a whole session, in order. */
export function replayOutline(state: SessionState): readonly ReplayEntry[] {
  const steps = new Map([...state.steps].map((step) => [step.id, step]));
  const messages = messagesOf(state);
  return [...state.turns].flatMap((turn, number) => {
    const ofTurn = [...turn.stepIds].flatMap((id) => steps.get(id) ?? []);
    const entries = ofTurn.map((step): ReplayEntry => ({
      id: step.id,
      kind: "step",
      index: step.firstEvent,
      label: `Step ${step.stepIndex + 1}`,
      about: aboutStep(state, step),
      isFailed: step.failed !== undefined,
    }));
    const head: ReplayEntry = {
      id: turn.id,
      kind: "turn",
      index: Math.max(0, (ofTurn[0]?.firstEvent ?? state.eventCount) - 1),
      label: `Turn ${number + 1}`,
      about: messages.get(turn.id) ?? "",
      isFailed: turn.status === "failed",
    };
    return [head, ...entries];
  });
}

function aboutStep(state: SessionState, { callIds, failed }: StepState): string {
  if (failed !== undefined) return failed.message;
  if (callIds.length === 0) return "answers";
  const counts = new Map<string, number>();
  for (const id of callIds) {
    const item = state.items.get(id);
    if (item?.kind === "call") counts.set(item.toolName, (counts.get(item.toolName) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} × ${count}`)).join(", ");
}

/** The first message of each turn. */
function messagesOf(state: SessionState): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const item of state.items) {
    if (item.kind === "user" && !messages.has(item.turnId)) messages.set(item.turnId, item.text);
  }
  return messages;
}
