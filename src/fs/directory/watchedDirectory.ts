import type { DirectoryHandle } from "./directoryPlaces";

/** What the browser tells of one change; not yet in the standard's types. */
interface ObserverRecord {
  readonly type: "appeared" | "disappeared" | "modified" | "moved" | "unknown" | "errored";
  readonly relativePathComponents: readonly string[];
  readonly relativePathMovedFrom?: readonly string[] | null;
}

interface DirectoryObserver {
  observe(handle: DirectoryHandle, options: { readonly recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverClass = new (changed: (records: readonly ObserverRecord[]) => void) => DirectoryObserver;

/**
 * Calls back after changes in a folder where the browser can tell of them (FileSystemObserver), own ones included: with the
 * paths, or without any when it could be anything. Answers how to stop.
 */
export function watchedDirectory(handle: DirectoryHandle, changed: (paths?: readonly string[]) => void): () => void {
  const { FileSystemObserver } = globalThis as { readonly FileSystemObserver?: ObserverClass };
  if (FileSystemObserver === undefined) return () => undefined;
  const observer = new FileSystemObserver((records) => {
    const isAnything = records.some(({ type }) => type === "unknown" || type === "errored");
    if (isAnything) changed();
    else {
      const paths = new Set(records.flatMap(pathsOfRecord).filter((path) => !isSwapFile(path)));
      if (paths.size > 0) changed([...paths]);
    }
  });
  // Where it is refused, changes are found when the folder is next looked at.
  observer.observe(handle, { recursive: true }).catch(() => undefined);
  return () => observer.disconnect();
}

function pathsOfRecord({ relativePathComponents, relativePathMovedFrom }: ObserverRecord): string[] {
  return [relativePathComponents, ...(relativePathMovedFrom ? [relativePathMovedFrom] : [])].map(
    (names) => `/${names.join("/")}`,
  );
}

/** Whether a name is one that Chromium gives the half-written copy of a file beside it. */
export function isSwapFile(name: string): boolean {
  return name.endsWith(".crswap");
}
