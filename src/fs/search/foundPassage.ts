/** A ranked passage, its text left where it is. */
export interface FoundPassage {
  readonly path: string;
  readonly score: number;
  /** From 1, inclusive. */
  readonly startLine: number;
  /** From 1, inclusive. */
  readonly endLine: number;
}
