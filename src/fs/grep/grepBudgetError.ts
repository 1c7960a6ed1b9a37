import { InvalidGrepPatternError } from "../pathError";

/** A pattern that ran on and on in one file and was stopped (`limits.grepFileBudgetMs`). `path` is the search root. */
export class GrepBudgetError extends InvalidGrepPatternError {
  constructor(path: string, pattern: string) {
    super(path, pattern);
    this.message = `grep pattern takes too long: ${pattern}`;
  }
  override withPath(path: string): GrepBudgetError {
    return new GrepBudgetError(path, this.pattern);
  }
}
