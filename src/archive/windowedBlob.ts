const WINDOW_BYTES = 256 * 1024;

/** Reads parts of a blob, fewer bytes than asked for only at its end. Parts that lie close together are read at once. */
export function windowedBlob(blob: Blob): (start: number, length: number) => Promise<Uint8Array> {
  let held = { start: 0, bytes: new Uint8Array() };
  return async (start, length) => {
    const end = Math.min(start + length, blob.size);
    let from = held;
    if (start < from.start || end > from.start + from.bytes.length) {
      const slice = blob.slice(start, Math.max(end, start + WINDOW_BYTES));
      from = { start, bytes: new Uint8Array(await slice.arrayBuffer()) };
      held = from;
    }
    return from.bytes.slice(start - from.start, end - from.start);
  };
}
