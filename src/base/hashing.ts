import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Bytes from which the browser's own asynchronous digest beats hashing in place. */
const ASYNC_FROM_BYTES = 32 * 1024;
/** Values from which the same holds for small ones. */
const MANY_FROM = 16;

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

/**
 * SHA-256 of many values at once, in their order. However small they are WebCrypto's threads beat hashing in place here,
 * because nobody waits for one before the next begins.
 */
export function sha256HexMany(values: readonly Uint8Array[]): Promise<string[]> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined || values.length < MANY_FROM) return Promise.all(values.map((bytes) => sha256Hex(bytes)));
  return Promise.all(
    values.map((bytes) => subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>).then(hexFromBuffer)),
  );
}

function hexFromBuffer(buffer: ArrayBuffer): string {
  return bytesToHex(new Uint8Array(buffer));
}
