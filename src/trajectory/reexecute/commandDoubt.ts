import type { Verdict } from "./judgeCall";
import { isDivergence } from "./divergenceReport";
import { foreignOperation } from "./foreign/foreignOperation";
import { readOnlyCommand } from "./foreign/readOnlyCommand";
import type { RecordedCall } from "./recordedCalls";

/** Tools of other programs that do anything by other tools. */
const ANYTHING = /task|agent|delegate|notebook|ipython|execute|command/i;

/**
 * Another program's commands are not run here, and its recording does not tell what they changed. A file that was as
 * recorded before such a command, and is not after it, was likely changed by it: that is no divergence of what ran here.
 */
export class CommandDoubt {
  /** The last call that showed, or made, a path to be as recorded. */
  readonly #confirmed = new Map<string, number>();
  readonly #isInferred: boolean;
  #lastCommand = 0;

  /** @param isInferred whether the tree is made from the recording, so that all it holds is as recorded at first */
  constructor(isInferred: boolean) {
    this.#isInferred = isInferred;
  }

  weighed(number: number, call: RecordedCall, verdict: Verdict, paths: readonly string[]): Verdict {
    if (verdict.class === "not run") {
      if (mayChangeAnything(call)) this.#lastCommand = number;
      return verdict;
    }
    if (!isDivergence(verdict)) {
      if (verdict.class === "not comparable") return verdict;
      // A part that is as recorded says nothing of the rest.
      for (const path of paths) if (isWhole(call) || !this.#isDoubtful(path)) this.#confirmed.set(path, number);
      return verdict;
    }
    const [path] = paths;
    if (path === undefined || !this.#isDoubtful(path)) return verdict;
    const { ranAs } = verdict;
    return {
      class: "not comparable",
      why: `Call ${this.#lastCommand}, which was not run, may have changed ${path}.`,
      ...(ranAs === undefined ? {} : { ranAs }),
    };
  }

  #isDoubtful(path: string): boolean {
    const confirmed = this.#confirmed.get(path) ?? (this.#isInferred ? 0 : undefined);
    return confirmed !== undefined && this.#lastCommand > confirmed;
  }
}

function isWhole({ action, input }: RecordedCall): boolean {
  const operation = foreignOperation(action.toolName, input, action.inputText);
  if (operation?.kind === "read") return operation.start === undefined && operation.count === undefined;
  return operation?.kind === "write";
}

function mayChangeAnything({ action, input }: RecordedCall): boolean {
  const operation = foreignOperation(action.toolName, input, action.inputText);
  if (operation?.kind === "shell") return readOnlyCommand(operation.command) === undefined;
  return operation === undefined && ANYTHING.test(action.toolName);
}
