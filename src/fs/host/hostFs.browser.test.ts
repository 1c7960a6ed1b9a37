import { describeFileSystem } from "../fileSystem.suite";
import { deleteProjectDatabase, openProjectDatabase } from "../idb/projectDatabase";
import { describeHostFiles, filledTree } from "./hostFiles.suite";
import { hostFs } from "./hostFs";
import { idbFiles } from "./idbFiles";

let databases = 0;
const closers = new WeakMap<object, () => Promise<void>>();

describeFileSystem(
  "hostFs over IndexedDB",
  async (files) => {
    const name = `host-${databases++}`;
    const database = await openProjectDatabase(name);
    const tree = await filledTree(hostFs(idbFiles(database, "store"), "/scope"), files);
    closers.set(tree, async () => {
      database.close();
      await deleteProjectDatabase(name);
    });
    return tree;
  },
  {
    skips: {
      edit: "a store of blobs has no directories",
      snapshot: "a store is read file by file",
      search: "a store of blobs has no index",
    },
    close: async (tree) => closers.get(tree)?.(),
  },
);

describeHostFiles("IndexedDB opened twice", async () => {
  const name = `host-${databases++}`;
  const [one, two] = await Promise.all([openProjectDatabase(name), openProjectDatabase(name)]);
  return [idbFiles(one, "store"), idbFiles(two, "store")];
});
