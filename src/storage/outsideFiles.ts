import { ulid, type Clock } from "../base";
import { forgetStoredMirror, storedMirror, type MirrorMemory, type ProjectDatabase, type RecordKey } from "../fs";

/** What a project keeps of folders and stores whose files lie outside of it. */
export interface OutsideFiles {
  /** What a mirror remembers, under the name of what it mirrors. */
  memory(scope: string): MirrorMemory;
  /** Who finds what a file version holds, for stored snapshots that only name it. */
  setFinder(find: ((versionId: string) => Promise<Uint8Array | undefined>) | undefined): void;
  /** Keeps the handle of a folder of this computer, and answers its key. @throws QuotaError, UnavailableError */
  keepFolder(handle: FileSystemDirectoryHandle): Promise<string>;
  folder(key: string): Promise<FileSystemDirectoryHandle | undefined>;
  /** Lets go of what belongs to none of these. */
  keepOnly(scopes: readonly string[], folders: readonly string[]): Promise<void>;
}

const folderKey = (key: string): RecordKey => ["k", key];

export function outsideFiles(database: ProjectDatabase, now: Clock): OutsideFiles {
  const { records } = database;
  return {
    memory: (scope) => storedMirror(database, scope),
    setFinder: (find) => void (database.contents.elsewhere = find),
    async keepFolder(handle) {
      const key = ulid(now(), Math.random);
      await records.write(async (writer) => writer.put(folderKey(key), handle));
      return key;
    },
    folder: async (key) =>
      (await records.read((reader) => reader.get(folderKey(key)))) as FileSystemDirectoryHandle | undefined,
    async keepOnly(scopes, folders) {
      const [mirrors, handles] = await records.read((reader) =>
        Promise.all([reader.keys({ prefix: ["m"] }), reader.keys({ prefix: ["k"] })]),
      );
      const known = new Set(mirrors.map((key) => String(key[1])));
      for (const scope of known) if (!scopes.includes(scope)) await forgetStoredMirror(database, scope);
      const left = handles.filter((key) => !folders.includes(String(key[1])));
      if (left.length === 0) return;
      await records.write(async (writer) => {
        for (const key of left) writer.delete(key);
      });
    },
  };
}
