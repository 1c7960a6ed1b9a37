import type { ArchiveEntries } from "./archiveEntry";
import { ArchiveError } from "./archiveError";
import { chunkReader } from "./byteReader";
import { gunzippedChunks, isGzip } from "./gunzippedChunks";
import { TAR_BLOCK_BYTES, tarHeader } from "./tarHeader";
import { tarEntries } from "./tarEntries";
import { zipEntries } from "./zipEntries";

export type ArchiveKind = "zip" | "tar" | "tar.gz";

/** What kind of archive the contents are, whatever the name says; `undefined` for none of ours. */
export async function archiveKind(blob: Blob): Promise<ArchiveKind | undefined> {
  const start = new Uint8Array(await blob.slice(0, TAR_BLOCK_BYTES).arrayBuffer());
  if (isZip(start)) return "zip";
  if (tarHeader(start) !== undefined) return "tar";
  return isGzip(start) && (await holdsTar(blob)) ? "tar.gz" : undefined;
}

/**
 * The entries of an archive of any kind that is known: zip, tar and tar packed with gzip.
 * @throws ArchiveError `broken-archive`, `too-large`
 */
export async function* archiveEntries(archive: Blob | Uint8Array): ArchiveEntries {
  const blob = archive instanceof Blob ? archive : new Blob([archive as Uint8Array<ArrayBuffer>]);
  const kind = await archiveKind(blob);
  if (kind === undefined) {
    throw new ArchiveError("broken-archive", "The file is no archive of a known kind: zip, tar or tar.gz");
  }
  yield* kind === "zip" ? zipEntries(blob) : tarEntries(blob);
}

/** An entry, or the end record of an archive without any. */
function isZip([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && ((third === 3 && fourth === 4) || (third === 5 && fourth === 6));
}

async function holdsTar(blob: Blob): Promise<boolean> {
  const reader = chunkReader(gunzippedChunks(blob));
  try {
    return tarHeader(await reader.next(TAR_BLOCK_BYTES)) !== undefined;
  } catch (error) {
    if (error instanceof ArchiveError) return false;
    throw error;
  } finally {
    await reader.close();
  }
}
