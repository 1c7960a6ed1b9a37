/** Bytes given to `String.fromCharCode` at a time: more arguments would overflow the stack. */
const CHUNK_BYTES = 0x8000;

export function base64FromBytes(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(binary);
}
