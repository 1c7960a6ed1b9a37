import { PathError } from "./pathError";

/** A grep asked for a file type that has no name here; `path` is the search root. */
export class UnknownFileTypeError extends PathError {
  readonly code = "invalid-grep-pattern";
  readonly type: string;
  readonly knownTypes: readonly string[];
  constructor(path: string, type: string, knownTypes: readonly string[]) {
    super(path, `unrecognized file type: ${type} (known: ${knownTypes.join(", ")})`);
    this.type = type;
    this.knownTypes = knownTypes;
  }
  override withPath(path: string): PathError {
    return new UnknownFileTypeError(path, this.type, this.knownTypes);
  }
}
