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
      const head = (entries.find(([key]) => key.length === 2)?.[1] ?? {}) as { readonly rootHash?: unknown };
      const files = entries.flatMap(([key, file]) =>
        key.length === 3 && isRemembered(file) ? [[String(key[2]), file] as const] : [],
      );
      return { tree: await storedTree(database, head.rootHash), files: new Map(files) };
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

/** What is damaged is forgotten: it is seen again where the files are. */
function isRemembered(record: unknown): record is RememberedFile {
  const { contents, id, version } = (record ?? {}) as Partial<RememberedFile>;
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.every((part) => typeof part === "string");
  return typeof id === "string" && typeof version === "string" && Array.isArray(contents) && contents.every(isPair);
}

/** A tree that is lost or damaged is listed anew. */
async function storedTree(database: ProjectDatabase, rootHash: unknown): Promise<SnapshotTree> {
  if (typeof rootHash !== "string") return SnapshotTree.empty;
  return loadSnapshot(database, rootHash).catch(() => SnapshotTree.empty);
}
