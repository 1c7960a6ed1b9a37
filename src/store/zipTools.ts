import { zipFromEntries } from "../archive";
import type { SnapshotTree } from "../fs";

/** What packs and unpacks, loaded when it is first needed. */
export { zipEntries } from "../archive";

/** The files below a directory as a zip. @throws what reading a file throws */
export function zippedTree(tree: SnapshotTree, directory = "/"): Promise<Blob> {
  return zipFromEntries(entriesToZip(tree, directory));
}

/** What a mount holds, named by its path. @throws what reading a file throws */
export async function zipOfMount(tree: SnapshotTree, prefix: string): Promise<{ name: string; contents: Blob }> {
  return { name: `${prefix.split("/").at(-1) || "files"}.zip`, contents: await zippedTree(tree) };
}

async function* entriesToZip(tree: SnapshotTree, directory: string) {
  const cut = directory === "/" ? 1 : directory.length + 1;
  for (const [path, file] of tree.files(directory)) {
    yield { path: path.slice(cut), bytes: await file.bytes(), modifiedAt: file.modifiedAt };
  }
}
