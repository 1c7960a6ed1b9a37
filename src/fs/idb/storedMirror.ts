import type { MirrorMemory, RememberedFile } from "../mirror/mirrorMemory";
import { SnapshotTree } from "../snapshotTree";
import { deletePins, putPins } from "./pins";
import type { ProjectDatabase } from "./projectDatabase";
import type { RecordKey } from "./records";
import { loadSnapshot, saveSnapshot } from "./storedTrees";

const mirrorKey = (scope: string): RecordKey => ["m", scope];
const fileKey = (scope: string, path: string): RecordKey => ["m", scope, path];
const pinOwner = (scope: string) => `mirror/${scope}`;

/** What a mirror remembers, in a project's database under the scope of the mirror. */
export function storedMirror(database: ProjectDatabase, scope: string): MirrorMemory {
  return {
    load: async () => {
      const entries = await database.records.read((reader) => reader.entries({ prefix: mirrorKey(scope) }));
      const head = entries.find(([key]) => key.length === 2)?.[1] as { readonly rootHash: string } | undefined;
      const files = entries.filter(([key]) => key.length === 3);
      return {
        tree: await storedTree(database, head?.rootHash),
        files: new Map(files.map(([key, file]) => [String(key[2]), file as RememberedFile] as const)),
      };
    },
    keepTree: async (tree) => {
      const rootHash = await saveSnapshot(database, tree);
      await database.records.write(async (writer) => {
        await putPins(writer, pinOwner(scope), 0, { contents: [], trees: [rootHash] });
        writer.put(mirrorKey(scope), { rootHash });
      });
    },
    remember: (path, file) => database.records.write(async (writer) => writer.put(fileKey(scope, path), file)),
    keepContents: (id, bytes) => database.contents.putAll([{ hash: id, bytes }]),
    contents: (id) => database.contents.get(id),
  };
}

/** Lets go of all a mirror remembers. */
export async function forgetStoredMirror(database: ProjectDatabase, scope: string): Promise<void> {
  await database.records.write(async (writer) => {
    await deletePins(writer, pinOwner(scope));
    writer.deleteAll(mirrorKey(scope));
  });
}

/** A tree that is lost is listed anew. */
async function storedTree(database: ProjectDatabase, rootHash: string | undefined): Promise<SnapshotTree> {
  if (rootHash === undefined) return SnapshotTree.empty;
  return loadSnapshot(database, rootHash).catch(() => SnapshotTree.empty);
}
