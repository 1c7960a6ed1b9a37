import { PathError, UnavailableError } from "../pathError";

/** A stored record that is not what was written: a bad sector, another program, a bug. Nothing is made of it. */
export class DamagedRecordError extends UnavailableError {
  /** What it is, as in "the head of a disk". */
  readonly record: string;

  constructor(record: string, path = "/") {
    super(
      path,
      `${record.charAt(0).toUpperCase()}${record.slice(1)} is damaged: what is stored is not what was written.`,
    );
    this.record = record;
  }

  override withPath(path: string): DamagedRecordError {
    return new DamagedRecordError(this.record, path);
  }
}

/** What is made of a stored record, whatever lies there. @throws DamagedRecordError when nothing can be made of it */
export function madeOf<T>(record: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof PathError) throw error;
    throw new DamagedRecordError(record);
  }
}
