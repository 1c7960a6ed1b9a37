import { isUnder, pathFromMount, pathInMount } from "../path";
import { PathError } from "../pathError";
import type { HostEntry, HostFilesApi } from "./hostFilesApi";

/** The store as seen from a directory of it, errors included. */
export function scopedFiles(files: HostFilesApi, scope: string): HostFilesApi {
  if (scope === "/") return files;
  const outer = (path: string) => pathFromMount(scope, path);
  const inner = (entry: HostEntry): HostEntry => ({ ...entry, path: pathInMount(scope, entry.path) });
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PathError) || !isUnder(error.path, scope)) throw error;
      throw error.withPath(pathInMount(scope, error.path));
    }
  };
  return {
    list: (directory, signal) => asked(async () => (await files.list(outer(directory), signal)).map(inner)),
    ...(files.listBelow && {
      listBelow: async function* (directory: string, signal: AbortSignal) {
        for await (const page of files.listBelow?.(outer(directory), signal) ?? []) yield page.map(inner);
      },
    }),
    stat: (path) =>
      asked(async () => {
        const entry = await files.stat(outer(path));
        return entry && inner(entry);
      }),
    read: (path) => asked(() => files.read(outer(path))),
    write: (path, bytes, condition) => asked(() => files.write(outer(path), bytes, condition)),
    delete: (path, ifMatch) => asked(() => files.delete(outer(path), ifMatch)),
  };
}
