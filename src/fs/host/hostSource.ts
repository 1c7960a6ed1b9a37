import { levelWalk } from "../levelWalk";
import type { MirrorSource, SourceEntry } from "../mirror/mirrorSource";
import { isValidFsPath, normalizeFsPath } from "../path";
import { ElsewhereError } from "../pathError";
import type { HostEntry, HostFilesApi } from "./hostFilesApi";
import { scopedFiles } from "./scopedFiles";

/** What lies below `scope` in a store of blobs with etags, as a mirror needs it. A version is an etag. */
export function hostSource(store: HostFilesApi, scope = "/"): MirrorSource {
  const files = scopedFiles(store, normalizeFsPath(scope));
  return {
    list: (prefix, signal) => listed(files, prefix, signal),
    look: async (path) => {
      if (path === "/") return { path, kind: "directory" };
      const entry = await files.stat(path);
      return entry && sourceEntry(entry);
    },
    fetch: async (path) => {
      const file = await files.read(path);
      if (file === undefined) return undefined;
      // A store that does not say so with the contents may say it when it is asked.
      const version = file.etag ?? versionOf((await files.stat(path)) ?? { path, kind: "file" });
      return { bytes: file.bytes, version };
    },
    write: async (path, bytes, expected) => {
      const condition = expected === null ? ({ ifNoneMatch: "*" } as const) : { ifMatch: etagFrom(path, expected) };
      const written = await files.write(path, bytes, condition);
      if (written.kind === "changed") return written;
      const version = written.etag ?? versionOf((await files.stat(path)) ?? { path, kind: "file" });
      return { kind: "written", version };
    },
    delete: (path, expected) => files.delete(path, etagFrom(path, expected)),
  };
}

async function* listed(files: HostFilesApi, scope: string, signal: AbortSignal): AsyncGenerator<SourceEntry, void> {
  if (files.listBelow) {
    // Directories are there by their files.
    for await (const page of files.listBelow(scope, signal)) for (const entry of page) yield sourceEntry(entry);
    return;
  }
  const read = (path: string, walk: AbortSignal) => files.list(path, AbortSignal.any([signal, walk]));
  for await (const entry of levelWalk(scope, read, { hidesEmpty: true })) {
    // A store may have names that no tree can: they are not there.
    if (isValidFsPath(entry.path)) yield sourceEntry(entry);
  }
}

function sourceEntry(entry: HostEntry): SourceEntry {
  const { path, kind, sizeBytes = 0, modifiedAt = 0 } = entry;
  return kind === "directory" ? { path, kind } : { path, kind, version: versionOf(entry), sizeBytes, modifiedAt };
}

/** What stands for the etag of a store that gives none: it can be told from one, because nothing can be written by it. */
const WITHOUT_ETAG = "without etag ";

function versionOf({ etag, modifiedAt = 0, sizeBytes = 0 }: HostEntry): string {
  return etag ?? `${WITHOUT_ETAG}${modifiedAt} ${sizeBytes}`;
}

/** @throws ElsewhereError */
function etagFrom(path: string, version: string): string {
  if (!version.startsWith(WITHOUT_ETAG)) return version;
  throw new ElsewhereError(path, "The store does not say which version of the file it has.");
}
