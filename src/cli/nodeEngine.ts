import { createContext, Script } from "node:vm";
import { inlineEngineWithin, type TreeEngine } from "../fs";

/** Node ends what a script has called, an expression in the middle of a match included, when the script's time is over. */
const script = new Script("step()");
const called: { step?: () => object } = {};
const context = createContext(called);

/** Searches on Node's own thread; a pattern that runs away is ended after the budget of a file (`GrepBudgetError`). */
export const nodeEngine: TreeEngine = inlineEngineWithin((step, budgetMs) => {
  called.step = step;
  try {
    return script.runInContext(context, { timeout: Math.max(1, Math.ceil(budgetMs)) }) as ReturnType<typeof step>;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    delete called.step;
  }
});

/** The error is one of the context's own realm: no `Error` of this one. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
