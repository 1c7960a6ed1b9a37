/** A pattern that is not one in Rust's regex syntax; the engines turn it into `InvalidGrepPatternError`. */
export class PatternSyntaxError extends Error {
  readonly code = "pattern-syntax";
  /** UTF-16 units from the start of the pattern. */
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(`${problem} at ${offset}`);
    this.name = "PatternSyntaxError";
    this.offset = offset;
  }
}
