/** Bytes of one slab: many small texts share one allocation. */
const SLAB_BYTES = 1024 * 1024;

/**
 * Encodes texts as UTF-8 one after the other into shared slabs: an allocation a text would cost an import more than
 * the encoding. What it returns is a view, to be copied by whoever keeps it.
 */
export function slabEncoder(): (text: string) => Uint8Array {
  const encoder = new TextEncoder();
  let slab = new Uint8Array(0);
  return (text) => {
    // A UTF-16 unit is at most three bytes.
    const mostBytes = text.length * 3;
    if (mostBytes > SLAB_BYTES / 4) return encoder.encode(text);
    if (slab.length < mostBytes) slab = new Uint8Array(SLAB_BYTES);
    const { written } = encoder.encodeInto(text, slab);
    const bytes = slab.subarray(0, written);
    slab = slab.subarray(written);
    return bytes;
  };
}
