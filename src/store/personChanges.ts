/** Something a person does to the tree; told when it begins, because others may see part of it before it is done. */
export interface PersonChange {
  readonly reason: "edit" | "revert" | "mounts";
  /** What it may change: files, and directories with all below them. */
  readonly paths: readonly string[];
  /** Resolves when it is stored, or as much of it as could be. */
  readonly done: Promise<void>;
}

/** Where what a person writes is told apart from what agents write: every write of a person's goes through `report`. */
export interface PersonChanges {
  readonly report: <T>(reason: PersonChange["reason"], paths: readonly string[], write: () => Promise<T>) => Promise<T>;
  /** Answers how to stop listening. */
  readonly subscribe: (listener: (change: PersonChange) => void) => () => void;
}

export function personChanges(): PersonChanges {
  const listeners = new Set<(change: PersonChange) => void>();
  return {
    report(reason, paths, write) {
      const result = write();
      const done = result.then(
        () => undefined,
        () => undefined,
      );
      for (const listener of listeners) listener({ reason, paths, done });
      return result;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
