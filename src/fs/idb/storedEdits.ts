import { sha256HexMany, sha256HexSync } from "../../base";
import type { FileToWrite } from "../fileSystem";
import { validFsPath } from "../path";
import type { TreeEdit } from "../treeEdit";
import type { HashedContent } from "./contentPacks";
import type { ContentStore } from "./contentStore";
import { PackEncoder } from "./packEncoder";
import { ContentFile, StoredFile } from "./storedFile";

/** Edits whose files lie in the store as soon as the contents do. */
export interface StoredEdits {
  readonly edits: readonly TreeEdit[];
  readonly contents: readonly HashedContent[];
  /** To be called when they are stored, or never will be. */
  readonly release?: () => void;
}

type WriteEdit = TreeEdit & { readonly kind: "write" };

/** Bytes hashed on the spot: that is quicker than handing them to another thread and waiting for the answer. */
const HASHED_AT_ONCE_BYTES = 32 * 1024;

/**
 * Reads and hashes before a transaction opens: one that is left waiting closes. Small contents that are in memory are
 * ready at once, so that edits made at the same time go into one transaction in their order.
 */
export function storedEdits(edits: readonly TreeEdit[], store: ContentStore): StoredEdits | Promise<StoredEdits> {
  const toStore = edits.filter(
    (edit): edit is WriteEdit =>
      edit.kind === "write" && !(edit.file instanceof ContentFile && edit.file.store === store),
  );
  const bytesNow = toStore.map(({ file }) => file.bytesNow?.());
  const known = bytesNow.filter((bytes) => bytes !== undefined);
  const isSmall = known.reduce((sum, bytes) => sum + bytes.length, 0) <= HASHED_AT_ONCE_BYTES;
  if (isSmall && known.length === toStore.length) {
    const contents = known.map((bytes) => ({ hash: sha256HexSync(bytes), bytes }));
    return withContents(edits, toStore, contents, store);
  }
  return Promise.all(toStore.map(async ({ file }, index) => bytesNow[index] ?? file.bytes()))
    .then(hashedContents)
    .then((contents) => withContents(edits, toStore, contents, store));
}

function withContents(
  edits: readonly TreeEdit[],
  toStore: readonly WriteEdit[],
  contents: readonly HashedContent[],
  store: ContentStore,
): StoredEdits {
  const stored = new Map<TreeEdit, TreeEdit>();
  for (const [index, edit] of toStore.entries()) {
    const content = contents[index];
    if (content !== undefined) stored.set(edit, { ...edit, file: storedFile(store, content, edit.file.modifiedAt) });
  }
  return { edits: edits.map((edit) => stored.get(edit) ?? edit), contents };
}

/** The same for files of an import, with as little for each as can be. @throws InvalidPathError */
export async function importedEdits(
  files: readonly FileToWrite[],
  modifiedAt: number,
  store: ContentStore,
): Promise<StoredEdits> {
  const paths = files.map(([path]) => validFsPath(path));
  const encoder = new PackEncoder(store.packBuffers);
  const contents = await hashedContents(files.map(([, written]) => encoder.encode(written)));
  const edits = contents.map((content, index): TreeEdit => ({
    kind: "write",
    path: paths[index] ?? "/",
    file: storedFile(store, content, modifiedAt),
  }));
  return { edits, contents, release: () => encoder.release() };
}

async function hashedContents(values: readonly Uint8Array[]): Promise<readonly HashedContent[]> {
  const hashes = await sha256HexMany(values);
  return values.map((bytes, index) => ({ hash: hashes[index] ?? "", bytes }));
}

function storedFile(store: ContentStore, { hash, bytes }: HashedContent, modifiedAt: number): StoredFile {
  return new StoredFile(store, { hash, sizeBytes: bytes.length, modifiedAt });
}
