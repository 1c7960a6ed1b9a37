import type { EventMeta } from "../session";
import type { ProjectStore } from "../storage";

/** A piece of the file a session was imported from. */
export interface OriginalPiece {
  readonly path?: string;
  readonly line?: number;
  readonly byte: number;
  /** Bytes of the whole record; `text` may be its beginning. */
  readonly length: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** Bytes of a record that are shown. */
const SHOWN_BYTES = 256 * 1024;

/** A list of several files: a hash, two spaces, a path. */
const LISTED = /^([0-9a-f]{64}) {2}(.+)$/;

/**
 * What stands in the kept file where an event comes from; `undefined` when the file, or that piece of it, is not here.
 * @throws UnavailableError
 */
export async function originalPiece(
  { blobs }: Pick<ProjectStore, "blobs">,
  original: string,
  origin: NonNullable<EventMeta["origin"]>,
): Promise<OriginalPiece | undefined> {
  const bytes = await fileOf(blobs, original, origin.file);
  const { byte, length, line, file } = origin;
  if (bytes === undefined || byte >= bytes.length) return undefined;
  const shown = bytes.subarray(byte, byte + Math.min(length, SHOWN_BYTES));
  return {
    byte,
    length,
    // A cut may go through a letter.
    text: new TextDecoder().decode(shown),
    isCut: length > SHOWN_BYTES,
    ...(line === undefined ? {} : { line }),
    ...(file === undefined ? {} : { path: file }),
  };
}

async function fileOf(
  blobs: ProjectStore["blobs"],
  original: string,
  path: string | undefined,
): Promise<Uint8Array | undefined> {
  const bytes = await blobs.get(original);
  if (bytes === undefined) return undefined;
  if (isZip(bytes)) return await entryOf(bytes, path);
  if (path === undefined) return bytes;
  const [firstLine = ""] = new TextDecoder().decode(bytes.subarray(0, 4_096)).split("\n", 1);
  if (!LISTED.test(firstLine)) return bytes;
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const [, hash, listed] = LISTED.exec(line) ?? [];
    if (hash !== undefined && listed === path) return await blobs.get(hash);
  }
  return undefined;
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** The file of an archive a path ends with; without one, its only file. */
async function entryOf(zip: Uint8Array, path: string | undefined): Promise<Uint8Array | undefined> {
  const { zipEntries } = await import("./zipTools");
  const files = [];
  for await (const entry of zipEntries(zip)) if (entry.kind === "file") files.push(entry);
  const found =
    path === undefined
      ? files.length === 1 && files[0]
      : files.find((file) => path === file.path || path.endsWith(`/${file.path}`));
  return found ? await found.bytes() : undefined;
}
