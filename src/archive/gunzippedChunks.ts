import { Gunzip } from "fflate";
import { ArchiveError } from "./archiveError";
import { crc32 } from "./crc32";

/** Compressed bytes unpacked at a time: keeps each slice of work short even for very dense data. */
const SLICE_BYTES = 16 * 1024;
const SLICES_A_TURN = 16;
const TRAILER_BYTES = 8;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/**
 * The contents of a gzip file as they are unpacked, checksums verified at the end of each member.
 * @throws ArchiveError `broken-archive`
 */
export async function* gunzippedChunks(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = blob.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  let given = 0;
  try {
    for (;;) {
      const step = await reader.read().catch(() => undefined);
      if (step === undefined) break;
      if (step.done) return;
      given += step.value.length;
      yield step.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  // Damaged, or several members one after the other, of which a browser unpacks the first only.
  yield* chunksOfMembers(blob, given);
}

interface Member {
  /** Where the next one begins. */
  end: number;
  checksum: number;
  sizeBytes: number;
}

/** The contents of several members, without the bytes already given. */
async function* chunksOfMembers(blob: Blob, given: number): AsyncGenerator<Uint8Array, void, undefined> {
  let unpacked: Uint8Array[] = [];
  const members: [Member, ...Member[]] = [{ end: blob.size, checksum: 0, sizeBytes: 0 }];
  const gunzip = new Gunzip((chunk) => {
    unpacked.push(chunk);
    const member = members.at(-1) as Member;
    member.checksum = crc32(chunk, member.checksum);
    member.sizeBytes += chunk.length;
  });
  gunzip.onmember = (offset) => {
    (members.at(-1) as Member).end = offset;
    members.push({ end: blob.size, checksum: 0, sizeBytes: 0 });
  };
  let skip = given;
  for (let at = 0, slices = 1; at < blob.size; at += SLICE_BYTES, slices++) {
    const slice = new Uint8Array(await blob.slice(at, at + SLICE_BYTES).arrayBuffer());
    try {
      gunzip.push(slice, at + SLICE_BYTES >= blob.size);
    } catch {
      throw brokenGzip();
    }
    for (const chunk of unpacked) {
      if (chunk.length > skip) yield chunk.subarray(skip);
      skip = Math.max(0, skip - chunk.length);
    }
    unpacked = [];
    if (slices % SLICES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  // A single one was damaged: a browser reads those.
  if (members.length === 1) throw brokenGzip();
  for (const member of members) await verify(blob, member);
}

async function verify(blob: Blob, { end, checksum, sizeBytes }: Member): Promise<void> {
  const trailer = new DataView(await blob.slice(end - TRAILER_BYTES, end).arrayBuffer());
  const isWhole =
    trailer.byteLength === TRAILER_BYTES &&
    trailer.getUint32(0, true) === checksum &&
    trailer.getUint32(4, true) === sizeBytes % 2 ** 32;
  if (!isWhole) throw brokenGzip();
}

function brokenGzip(): ArchiveError {
  return new ArchiveError("broken-archive", "The file is no gzip archive, or it is damaged or was cut off");
}
