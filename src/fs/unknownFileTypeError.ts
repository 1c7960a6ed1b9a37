import { PathError } from "./pathError";

/** A grep asked for a file type that has no name here; `path` is the search root. */
export class UnknownFileTypeError extends PathError {
  readonly code = "invalid-grep-pattern";
  readonly type: string;
  /** What may be meant, nearest first; empty when nothing is near. */
  readonly nearestTypes: readonly string[];
  constructor(path: string, type: string, nearestTypes: readonly string[]) {
    const nearest = nearestTypes.length === 0 ? "" : ` (nearest: ${nearestTypes.join(", ")})`;
    super(path, `unrecognized file type: ${type}${nearest}`);
    this.type = type;
    this.nearestTypes = nearestTypes;
  }
  override withPath(path: string): PathError {
    return new UnknownFileTypeError(path, this.type, this.nearestTypes);
  }
}
