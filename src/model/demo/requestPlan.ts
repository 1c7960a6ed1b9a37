import { answerFromNotes } from "./answer";
import { conditionalNotes } from "./conditionalNotes";
import { exactCallsInText } from "./exactCalls";
import { DEMO_HELP, intentWords } from "./intentWords";
import type { Intent } from "./intent";
import { intentsFromText } from "./intentsFromText";
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
  const intents = intentsFromText(text);
  if (intents.every((intent) => intent.kind === "unknown" || intent.kind === "help")) {
    const isAsked = intents.some((intent) => intent.kind === "help");
    return `${isAsked ? "" : "I did not understand that. "}${DEMO_HELP}`;
  }
  context.topic = intents
    .map((intent) => (intent.kind === "fixTodos" ? intent.topic : ""))
    .join(" ")
    .trim();
  for (const [index, intent] of intents.entries()) {
    try {
      yield* intentPlan(context, intent);
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
  const notes = context.isDryRun ? conditionalNotes(context.notes) : context.notes;
  return answerFromNotes(notes, context.sources, context.directives);
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
    case "run":
      return runPlan(context, intent.command);
    default:
      return sayPlan(context, intent);
  }
}

// oxlint-disable-next-line require-yield -- says something without calling anything
function* sayPlan(context: PlanContext, intent: Extract<Intent, { kind: "help" | "unclear" | "unknown" }>): Plan<void> {
  if (intent.kind === "unclear") context.note(intent.why);
  else context.note(intent.kind === "help" ? DEMO_HELP : `I did not understand “${intent.text}”.`);
}

const OUTPUT_CHARACTERS = 2_000;

function* runPlan(context: PlanContext, command: string): Plan<void> {
  const outcome = yield* context.call("Shell", { command });
  const text = outcome.text.trim();
  const shown = text.length > OUTPUT_CHARACTERS ? `${text.slice(0, OUTPUT_CHARACTERS).toWellFormed()}…` : text;
  if (outcome.failed) context.note(`${inCode(command)} failed: ${shown}`);
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
