import type { SnapshotTree } from "../snapshotTree";
import type { TextsMessage } from "./engineProtocol";

/**
 * The bytes of files a worker needs, copied so that they can be handed over for good.
 * @throws what reading a file throws
 */
export async function shippedTexts(tree: SnapshotTree, paths: readonly string[]): Promise<TextsMessage["texts"]> {
  return Promise.all(
    paths.map(async (path) => {
      const file = tree.file(path);
      const bytes = file?.bytesNow?.() ?? (await file?.bytes()) ?? new Uint8Array();
      return { hash: file?.hash ?? "", bytes: bytes.slice(), isOnPage: file?.heldText?.() !== undefined };
    }),
  );
}

export function transferables(texts: TextsMessage["texts"]): ArrayBuffer[] {
  return texts.map(({ bytes }) => bytes.buffer);
}
