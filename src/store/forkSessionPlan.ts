import { DEMO_MODEL_NAME } from "../model";
import type { JsonValue } from "../base";
import type { SessionEvent } from "../session";
import type { ForkPlan, ForkTarget } from "./forkSessionState";
import { playgroundStartOf } from "./recordedStarts";
import type { StartOption } from "./reexecuteState";
import type { WorkbenchCore } from "./workbenchCore";

/** Messages and results that are offered to be edited: those nearest to the point. */
const OFFERED = 100;

/** Characters of a text that name it in a list. */
const LABEL_CHARACTERS = 60;

export interface ForkPlanInput {
  readonly sessionId: string;
  readonly index: number;
  readonly events: readonly SessionEvent[];
  readonly starts: readonly StartOption[];
}

/** What can be done otherwise at an event of a log. */
export function forkPlan(
  { project }: Pick<WorkbenchCore, "project">,
  { sessionId, index, events, starts }: ForkPlanInput,
): ForkPlan {
  const model = project.getState().model;
  const noRecording = whyNoRecording(events);
  return {
    sessionId,
    index,
    instructions: instructionsOf(events) ?? project.getState().agent.instructions,
    messages: targets(events, index, messageTarget),
    results: targets(events, index, resultTarget),
    starts,
    ...(noRecording === undefined ? {} : { noRecording }),
    modelName: model.kind === "demo" ? DEMO_MODEL_NAME : model.modelId,
  };
}

/** The number of the step that comes after the first `end` events, from 1. */
export function forkStep(events: readonly SessionEvent[], end: number): number {
  let steps = 0;
  for (let index = 0; index < end; index++) if (events[index]?.type === "step.started") steps++;
  return steps + 1;
}

function whyNoRecording(events: readonly SessionEvent[]): string | undefined {
  const asks = events.some((event) => event.type === "step.started" && event.data.request !== undefined);
  return asks
    ? undefined
    : "The recording does not hold what its model was asked, so nobody can tell whether it would be asked the same again.";
}

/** What the model was told last, as the log says. */
function instructionsOf(events: readonly SessionEvent[]): string | undefined {
  const source = events.find((event) => event.type === "import.source");
  const imported = source?.type === "import.source" ? source.data.session.instructions : undefined;
  const instructions = playgroundStartOf(events)?.definition["instructions"];
  return typeof instructions === "string" ? instructions : imported;
}

function targets(
  events: readonly SessionEvent[],
  index: number,
  read: (event: SessionEvent, eventIndex: number) => ForkTarget | undefined,
): readonly ForkTarget[] {
  const found: ForkTarget[] = [];
  for (let at = Math.min(index, events.length - 1); at >= 0 && found.length < OFFERED; at--) {
    const event = events[at];
    const target = event === undefined || event.meta.replay === false ? undefined : read(event, at);
    if (target !== undefined) found.push(target);
  }
  return found;
}

function messageTarget(event: SessionEvent, eventIndex: number): ForkTarget | undefined {
  if (event.type !== "message.received" && event.type !== "message.completed") return undefined;
  const { message } = event.data;
  const who = event.type === "message.received" ? "Person" : "Agent";
  return { eventIndex, label: `${who}: ${short(message)}`, text: message, isJson: false };
}

function resultTarget(event: SessionEvent, eventIndex: number): ForkTarget | undefined {
  if (event.type !== "action.result") return undefined;
  const { toolName, result, error } = event.data;
  const output: JsonValue = error === undefined ? result.output : error.message;
  const text = typeof output === "string" ? output : JSON.stringify(output, undefined, 2);
  return {
    eventIndex,
    label: `${toolName}${error === undefined ? "" : " (failed)"}: ${short(text)}`,
    text,
    isJson: typeof output !== "string",
  };
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= LABEL_CHARACTERS
    ? line
    : `${line.slice(0, LABEL_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
