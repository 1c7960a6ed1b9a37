import type { SessionEvent } from "../../session";
import type { BlobReader } from "../createReplay";
import { inlinedValue } from "../inlinedValues";
import { divergenceReport, isDivergence, type DivergenceReport, type ReexecutedCall } from "./divergenceReport";
import { excerpt } from "./firstDifference";
import { judged, subjectOf, type Verdict } from "./judgeCall";
import { defaultNormalisers } from "./normalisers";
import { recordedItems, type RecordedCall } from "./recordedCalls";
import { RootCauses } from "./rootCauses";

export interface LogsToCompare {
  readonly recorded: readonly SessionEvent[];
  /** The same session run again, by a live model from some point on, or by the recorded one on another tree. */
  readonly again: readonly SessionEvent[];
  readonly blobs?: BlobReader;
  /** Root hash of the tree the second one began with. */
  readonly rootHash: string;
  readonly sessionId: string;
}

/**
 * The report over two logs, call by call in their order: a model that speaks for itself may ask for calls the recording
 * does not have (`extra`), and leave some of its out (`missing`). Calls are the same when tool and arguments are.
 */
export async function reportFromLogs(logs: LogsToCompare): Promise<DivergenceReport> {
  const [first, second] = [callsOf(logs.recorded), callsOf(logs.again)];
  const causes = new RootCauses();
  const calls: ReexecutedCall[] = [];
  for (const [recorded, actual] of pairs(first, second)) {
    const shown = recorded ?? actual;
    if (shown === undefined) continue;
    const { action, input, turnId, stepIndex, eventIndex, taskCallId } = shown;
    const subject = subjectOf(action.toolName, input, action.inputText);
    const call: ReexecutedCall = {
      number: calls.length + 1,
      callId: action.callId,
      toolName: action.toolName,
      subject,
      turnId,
      stepIndex,
      eventIndex,
      ...(taskCallId === undefined ? {} : { taskCallId }),
      ...(await verdictOf(recorded, actual, logs.blobs)),
    };
    const cause = isDivergence(call) ? causes.add(call, [subject], false) : undefined;
    calls.push(cause === undefined ? call : { ...call, followsFrom: cause });
  }
  const normalisers = defaultNormalisers.map(({ name, about }) => ({ name, about }));
  const start = { kind: "snapshot" as const, rootHash: logs.rootHash };
  return divergenceReport(
    { sessionId: logs.sessionId, start, policy: "real", outcome: "completed", normalisers },
    calls,
  );
}

function callsOf(events: readonly SessionEvent[]): RecordedCall[] {
  return recordedItems(events).filter((item) => item.kind === "call");
}

async function verdictOf(
  recorded: RecordedCall | undefined,
  actual: RecordedCall | undefined,
  blobs: BlobReader | undefined,
): Promise<Verdict> {
  if (recorded?.result !== undefined && actual?.result !== undefined) {
    const output = await inlinedValue(recorded.result.result.output, blobs);
    const result = { ...recorded.result, result: { ...recorded.result.result, output } };
    return judged(recorded, result, { kind: "result", result: actual.result }, defaultNormalisers);
  }
  const path = recorded ?? actual;
  const subject = path === undefined ? "" : subjectOf(path.action.toolName, path.input, path.action.inputText);
  if (recorded === undefined) return { class: "extra", difference: { path: subject, ...shownCall("actual", actual) } };
  if (actual === undefined)
    return { class: "missing", difference: { path: subject, ...shownCall("expected", recorded) } };
  return { class: "not comparable", why: "One of the two calls has no result." };
}

function shownCall(side: "expected" | "actual", call: RecordedCall | undefined): Record<string, string> {
  return call === undefined ? {} : { [side]: `${call.action.toolName} ${excerpt(call.input)}` };
}

/** Both lists in one, by their longest common run of same calls near where they part: an insertion moves nothing after it. */
function pairs(
  first: readonly RecordedCall[],
  second: readonly RecordedCall[],
): [RecordedCall | undefined, RecordedCall | undefined][] {
  const paired: [RecordedCall | undefined, RecordedCall | undefined][] = [];
  const waiting = new Map<string, number[]>();
  for (const [index, call] of second.entries()) waiting.set(keyOf(call), [...(waiting.get(keyOf(call)) ?? []), index]);
  let at = 0;
  for (const call of first) {
    const places = waiting.get(keyOf(call)) ?? [];
    const found = places.find((index) => index >= at);
    if (found === undefined) paired.push([call, undefined]);
    else {
      while (at < found) paired.push([undefined, second[at++]]);
      paired.push([call, second[at++]]);
    }
  }
  while (at < second.length) paired.push([undefined, second[at++]]);
  return paired;
}

function keyOf({ action, input }: RecordedCall): string {
  return `${action.toolName} ${action.inputText ?? JSON.stringify(input)}`;
}
