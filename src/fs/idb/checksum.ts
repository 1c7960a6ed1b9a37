/** Mixes 32 bits at a time: several times as fast as a CRC, and a changed record is found as surely. */
const FACTOR = 0x9e3779b1;

/**
 * A check sum over columns of a record, in order: bytes, numbers and texts. It finds what a disk or a bug did to a record; it
 * keeps nobody from changing one on purpose.
 */
export function checksumOf(...columns: readonly (ArrayBufferView | string | number)[]): number {
  let sum = 0;
  for (const column of columns) {
    if (typeof column === "number") sum = withNumber(sum, column);
    else if (typeof column === "string") sum = withText(sum, column);
    else sum = withBytes(sum, column);
  }
  return (sum ^ (sum >>> 16)) >>> 0;
}

function mixed(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, FACTOR);
  return product ^ (product >>> 15);
}

function withNumber(sum: number, value: number): number {
  return withBytes(sum, Float64Array.of(value));
}

function withText(sum: number, text: string): number {
  let mix = mixed(sum, text.length);
  for (let at = 0; at < text.length; at++) mix = mixed(mix, text.charCodeAt(at));
  return mix;
}

function withBytes(sum: number, { buffer, byteOffset, byteLength }: ArrayBufferView): number {
  let mix = mixed(sum, byteLength);
  const begin = byteOffset;
  const wordCount = begin % 4 === 0 ? byteLength >> 2 : 0;
  const words = new Int32Array(buffer, wordCount === 0 ? 0 : begin, wordCount);
  for (let at = 0; at < wordCount; at++) mix = mixed(mix, words[at] ?? 0);
  const rest = new Uint8Array(buffer, begin + wordCount * 4, byteLength - wordCount * 4);
  for (const byte of rest) mix = mixed(mix, byte);
  return mix;
}
