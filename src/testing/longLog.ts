import type { SessionEvent } from "../session";

export interface LongLogShape {
  readonly turns: number;
  readonly stepsATurn: number;
  /** Characters of each call's output. */
  readonly outputCharacters?: number;
}

/** Events of a session of any length, all made from their places: turns of steps that each read or write a file. */
export function* longLog({ turns, stepsATurn, outputCharacters = 40 }: LongLogShape): Generator<SessionEvent> {
  let count = 0;
  const made = (type: string, data: object): SessionEvent => {
    const meta = { id: `evt_${count}`, at: new Date(Date.UTC(2026, 0, 1) + 100 * count++).toISOString() };
    return { type, data, meta } as unknown as SessionEvent;
  };
  yield made("session.started", { runtime: { agentId: "long", eveVersion: "26" } });
  for (let turn = 0; turn < turns; turn++) {
    const ofTurn = { turnId: `turn_${turn}`, sequence: turn };
    yield made("turn.started", ofTurn);
    yield made("message.received", { ...ofTurn, message: `message ${turn}` });
    for (let stepIndex = 0; stepIndex < stepsATurn; stepIndex++) {
      const ofStep = { ...ofTurn, stepIndex };
      const callId = `call_${turn}_${stepIndex}`;
      const isWrite = stepIndex % 4 === 3;
      const path = `/work/file${(turn * 7 + stepIndex) % 50}.md`;
      const toolName = isWrite ? "Write" : "Read";
      const input = isWrite ? { path, fileText: `text ${count}` } : { path };
      yield made("step.started", { ...ofStep, modelId: "model" });
      yield made("message.completed", {
        ...ofStep,
        message: `Step ${stepIndex} of ${turn}.`,
        finishReason: "tool-calls",
      });
      yield made("actions.requested", { ...ofStep, actions: [{ kind: "tool-call", callId, toolName, input }] });
      const changes = isWrite ? [{ path, after: count.toString(16).padStart(64, "0"), sizeBytes: 9 }] : [];
      const output = `${count} `.repeat(Math.ceil(outputCharacters / 5)).slice(0, outputCharacters);
      yield made("action.result", {
        ...ofStep,
        status: "completed",
        toolName,
        result: { kind: "tool-result", callId, toolName, output },
        durationMs: 10,
        served: [],
        changes,
      });
      const usage = { inputTokens: 100, outputTokens: 10 };
      yield made("step.completed", { ...ofStep, finishReason: "tool-calls", usage });
    }
    yield made("turn.completed", ofTurn);
  }
  yield made("session.waiting", { continuationToken: "t", wait: "next-user-message" });
}
