import { UnavailableError, type FileEntry } from "../fs";

/** Contents by their hash. */
export interface BlobReader {
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** A file whose contents lie in a store of blobs. */
export function blobFile(
  path: string,
  file: { readonly after?: string; readonly sizeBytes?: number },
  modifiedAt: number,
  blobs: BlobReader,
): FileEntry {
  const hash = file.after ?? "";
  return {
    kind: "file",
    hash,
    sizeBytes: file.sizeBytes ?? 0,
    modifiedAt,
    async bytes() {
      const bytes = await blobs.get(hash);
      if (bytes === undefined) throw new UnavailableError(path, "the saved session does not hold these contents");
      return bytes;
    },
  };
}
