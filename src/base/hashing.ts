import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** Bytes from which the browser's own asynchronous digest beats hashing in place. */
const ASYNC_FROM_BYTES = 32 * 1024;

/** SHA-256 as 64 lower-case hex digits, at once; for small values. A string is hashed as UTF-8. */
export function sha256HexSync(value: string | Uint8Array): string {
  return bytesToHex(sha256(typeof value === "string" ? utf8ToBytes(value) : value));
}

/**
 * SHA-256 as 64 lower-case hex digits. Large values go through WebCrypto where it exists (secure contexts only), so that
 * the thread stays free. A string is hashed as UTF-8.
 */
export async function sha256Hex(value: string | Uint8Array): Promise<string> {
  const bytes = typeof value === "string" ? utf8ToBytes(value) : value;
  if (bytes.length < ASYNC_FROM_BYTES || globalThis.crypto?.subtle === undefined) return bytesToHex(sha256(bytes));
  return bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)));
}

/** Lower-case hex. */
export const hexFromBytes: (bytes: Uint8Array) => string = bytesToHex;

/** @throws when the text is not hex */
export const bytesFromHex: (hex: string) => Uint8Array = hexToBytes;

/** SHA-256 of many values at once, in their order: small ones here, four at a time, large ones by WebCrypto. */
export async function sha256HexMany(values: readonly Uint8Array[]): Promise<string[]> {
  // Only whoever imports needs it.
  const { LANE_BYTES, sha256HexLanes } = await import("./sha256Lanes");
  const small = values.filter(({ length }) => length <= LANE_BYTES);
  const smallHashes = sha256HexLanes(small) ?? small.map(sha256HexSync);
  if (small.length === values.length) return smallHashes;
  const large = values.filter(({ length }) => length > LANE_BYTES);
  const largeHashes = await Promise.all(large.map(sha256Hex));
  let smallAt = 0;
  let largeAt = 0;
  return values.map(({ length }) => (length <= LANE_BYTES ? smallHashes[smallAt++] : largeHashes[largeAt++]) ?? "");
}
