import { answerFromNotes } from "./answer";
import { conditionalNotes } from "./conditionalNotes";
import { exactCallsInText } from "./exactCalls";
import { examplesPlan, helpPlan } from "./helpPlan";
import { intentWords } from "./intentWords";
import type { Intent } from "./intent";
import { intentsFromText } from "./intentsFromText";
import { undoPlan } from "./undoPlan";
import { PlanStop, type Plan, type PlannedCall } from "./plan";
import { inCode, type PlanContext } from "./planContext";
import { renameSymbolPlan, replacePlan } from "./replacePlans";
import { countFilesPlan, countMatchesPlan, findFilesPlan, findPlan, listPlan, readPlan } from "./searchPlans";
import { summarisePlan } from "./summarisePlan";
import { fixTodosPlan } from "./todoPlans";
import { appendPlan, createPlan, deletePlan, moveFilePlan, notePlan } from "./writePlans";

/** Carries out a whole request and returns the final answer. */
export function* requestPlan(context: PlanContext, text: string): Plan<string> {
  const exact = exactCallsInText(text);
  if (exact.length > 0) return yield* exactPlan(exact);
  const intents = notesLast(intentsFromText(text));
  if (intents.every((intent) => intent.kind === "unknown" || intent.kind === "help")) {
    const isAsked = intents.some((intent) => intent.kind === "help");
    return `${isAsked ? "" : "I did not understand that. "}${yield* helpPlan(context)}`;
  }
  let examples = "";
  context.topic = intents
    .map((intent) => (intent.kind === "fixTodos" ? intent.topic : ""))
    .join(" ")
    .trim();
  for (const [index, intent] of intents.entries()) {
    try {
      yield* intentPlan(context, intent);
      context.named = placeNamedIn(intent) ?? context.named;
    } catch (error) {
      if (!(error instanceof PlanStop)) throw error;
      context.note(error.message);
      // A question stands last.
      if (error.reason === "ask") return answerFromNotes(context.notes, [], context.directives);
      if (error.reason === "budget") {
        const left = intents
          .slice(index)
          .filter((other) => other.kind !== "unknown" && other.kind !== "unclear")
          .map(intentWords);
        context.note(`Not finished: ${left.join("; ")}.`);
        break;
      }
    }
  }
  if (intents.some((intent) => intent.kind === "unclear" && intent.isBeyond === true)) {
    const rows = yield* examplesPlan(context);
    if (rows.length > 0) examples = `\n\n${["What I can do here:", "", ...rows].join("\n")}`;
  }
  const notes = context.isDryRun ? conditionalNotes(context.notes) : context.notes;
  return answerFromNotes(notes, context.sources, context.directives) + examples;
}

/** What is to be noted is known when all changes of the request are made. */
function notesLast(intents: readonly Intent[]): Intent[] {
  const isNote = (intent: Intent): boolean => intent.kind === "note" && intent.text === undefined;
  const last = intents.findLastIndex(({ kind }) => CHANGING.has(kind));
  const upTo = intents.slice(0, last + 1);
  return [...upTo.filter((intent) => !isNote(intent)), ...upTo.filter(isNote), ...intents.slice(last + 1)];
}

const CHANGING: ReadonlySet<Intent["kind"]> = new Set([
  "replace",
  "renameSymbol",
  "moveFile",
  "fixTodos",
  "create",
  "append",
  "delete",
]);

/** The file or folder the clause named: what the clauses after it mean when they name none. */
function placeNamedIn(intent: Intent): string | undefined {
  if (intent.kind === "note") return undefined;
  if ("path" in intent) return intent.path;
  return intent.kind === "read" || intent.kind === "summarise" ? intent.paths.at(-1) : undefined;
}

function intentPlan(context: PlanContext, intent: Intent): Plan<void> {
  switch (intent.kind) {
    case "list":
      return listPlan(context, intent);
    case "read":
      return readPlan(context, intent);
    case "find":
      return findPlan(context, intent);
    case "findFiles":
      return findFilesPlan(context, intent);
    case "countFiles":
      return countFilesPlan(context, intent);
    case "countMatches":
      return countMatchesPlan(context, intent);
    case "renameSymbol":
      return renameSymbolPlan(context, intent);
    case "moveFile":
      return moveFilePlan(context, intent);
    case "replace":
      return replacePlan(context, intent);
    case "fixTodos":
      return fixTodosPlan(context, intent);
    case "create":
      return createPlan(context, intent);
    case "append":
      return appendPlan(context, intent);
    case "note":
      return notePlan(context, intent);
    case "delete":
      return deletePlan(context, intent);
    case "summarise":
      return summarisePlan(context, intent);
    case "undo":
      return undoPlan(context);
    case "run":
      return runPlan(context, intent.command);
    default:
      return sayPlan(context, intent);
  }
}

function* sayPlan(context: PlanContext, intent: Extract<Intent, { kind: "help" | "unclear" | "unknown" }>): Plan<void> {
  if (intent.kind === "unclear") context.note(intent.why);
  else if (intent.kind === "help") context.note(yield* helpPlan(context));
  else context.note(`I did not understand “${intent.text}”. Say “help” for what I do understand.`);
}

const OUTPUT_CHARACTERS = 2_000;

function* runPlan(context: PlanContext, command: string): Plan<void> {
  const outcome = yield* context.call("Shell", { command });
  const text = outcome.text.trim();
  const shown = text.length > OUTPUT_CHARACTERS ? `${text.slice(0, OUTPUT_CHARACTERS).toWellFormed()}…` : text;
  if (outcome.denied) context.note(`You said no to ${inCode(command)}, so I did not run it.`);
  else if (outcome.failed) context.note(`${inCode(command)} failed: ${shown}`);
  else
    context.note(
      shown === ""
        ? `${inCode(command)} ran without output.`
        : `${inCode(command)} answered:\n\n\`\`\`\n${shown}\n\`\`\``,
    );
}

/** Calls written out are made as they are, whatever the instructions and the offered tools say: they reproduce a state. */
function* exactPlan(steps: readonly (readonly PlannedCall[])[]): Plan<string> {
  const said: string[] = [];
  for (const calls of steps) {
    const outcomes = yield { text: "", calls };
    for (const [index, { toolName }] of calls.entries()) {
      const outcome = outcomes[index];
      const first = outcome?.text.trim().split("\n")[0] ?? "";
      said.push(`${toolName} ${outcome?.failed ? "failed" : "answered"}: ${inCode(first)}`);
    }
  }
  return said.join("\n");
}
