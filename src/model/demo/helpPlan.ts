import { DEMO_MODEL_NAME } from "../modelSettings";
import { PlanStop, type Plan } from "./plan";
import type { PlanContext } from "./planContext";
import { requestExamples } from "./requestExamples";
import { entriesFromList, pathsFromText } from "./toolTexts";

/** What the planner says of itself when asked, or when it understood nothing. */
export function* helpPlan(context: PlanContext): Plan<string> {
  const about = `I am the ${DEMO_MODEL_NAME}: I follow rules and understand requests such as these, also joined by “and” or “then”:`;
  const rows = yield* examplesPlan(context);
  if (rows.length > 0) return [about, "", ...rows].join("\n");
  return `I am the ${DEMO_MODEL_NAME}: I follow rules and work with tools. I am offered none that I know here, so I can do nothing.`;
}

/** Rows of requests that work here, after a look at what there is. */
export function* examplesPlan(context: PlanContext): Plan<string[]> {
  return requestExamples(context, yield* everything(context));
}

function* everything(context: PlanContext): Plan<readonly string[]> {
  try {
    if (context.has("LS")) {
      const outcome = yield* context.call("LS", { path: "/" });
      return outcome.failed ? [] : entriesFromList(outcome.text).items;
    }
    if (context.has("Glob")) {
      const outcome = yield* context.call("Glob", { globPattern: "**/*" });
      return outcome.failed ? [] : pathsFromText(outcome.text).items;
    }
  } catch (error) {
    // No call is left: the mounts alone have to do.
    if (!(error instanceof PlanStop)) throw error;
  }
  return [];
}
