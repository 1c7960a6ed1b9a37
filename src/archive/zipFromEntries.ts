import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { nextTask } from "../base";

/** A file to put into a zip. Its path is relative, with `/` between the parts. */
export interface EntryToZip {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970; kept to two seconds, from 1980 on, as UTC. */
  readonly modifiedAt?: number | undefined;
}

/** Bytes compressed at a time. */
const SLICE_BYTES = 256 * 1024;
/** Milliseconds of work after which the thread is given free: by the bytes it would be far too often where files are small. */
const SLICE_MS = 16;
/** Files below this size gain nothing from compression. */
const DEFLATE_FROM_BYTES = 64;
/** 1980-01-01, the first instant a zip can tell. */
const FIRST_TIME = Date.UTC(1980, 0, 1);
const LAST_TIME = Date.UTC(2107, 11, 31);

/** Makes a zip of the entries, in their order; the same entries give the same bytes. Stops when `signal` aborts. */
export async function zipFromEntries(
  entries: Iterable<EntryToZip> | AsyncIterable<EntryToZip>,
  signal?: AbortSignal,
): Promise<Blob> {
  const chunks: BlobPart[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk);
  });
  let sliceEnd = performance.now() + SLICE_MS;
  for await (const entry of entries) {
    const file =
      entry.bytes.length < DEFLATE_FROM_BYTES
        ? new ZipPassThrough(entry.path)
        : new ZipDeflate(entry.path, { level: 6 });
    file.mtime = localTime(entry.modifiedAt ?? FIRST_TIME);
    zip.add(file);
    for (let at = 0; at === 0 || at < entry.bytes.length; at += SLICE_BYTES) {
      signal?.throwIfAborted();
      file.push(entry.bytes.slice(at, at + SLICE_BYTES), at + SLICE_BYTES >= entry.bytes.length);
      if (performance.now() < sliceEnd) continue;
      await nextTask();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  zip.end();
  if (failure) throw failure;
  return new Blob(chunks, { type: "application/zip" });
}

/** The writer stores local wall-clock time; shifted, so that what is stored is UTC on every machine. */
function localTime(time: number): Date {
  const clamped = new Date(Math.min(Math.max(time, FIRST_TIME), LAST_TIME));
  return new Date(clamped.getTime() + clamped.getTimezoneOffset() * 60_000);
}
