import type { DirectoryHandle } from "./directoryPlaces";

/** Not yet in the standard's types. */
interface DirectoryObserver {
  observe(handle: DirectoryHandle, options: { readonly recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverClass = new (changed: () => void) => DirectoryObserver;

/** Calls back after changes in a folder where the browser can tell of them (FileSystemObserver). Answers how to stop. */
export function watchedDirectory(handle: DirectoryHandle, changed: () => void): () => void {
  const { FileSystemObserver } = globalThis as { readonly FileSystemObserver?: ObserverClass };
  if (FileSystemObserver === undefined) return () => undefined;
  const observer = new FileSystemObserver(changed);
  // Where it is refused, changes are found when the folder is next looked at.
  observer.observe(handle, { recursive: true }).catch(() => undefined);
  return () => observer.disconnect();
}
