/** One header block of a tar (POSIX.1-1988 ustar, GNU and older). */
export interface TarHeader {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** One character; `0` is a file, `5` a directory, `x`, `g`, `L` and `K` speak of the entry that follows. */
  readonly type: string;
}

export const TAR_BLOCK_BYTES = 512;

export function isEmptyBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** `undefined` when the block is no header: its checksum says so. */
export function tarHeader(block: Uint8Array): TarHeader | undefined {
  if (block.length < TAR_BLOCK_BYTES || !hasRightChecksum(block)) return undefined;
  const sizeBytes = numberAt(block, 124, 12);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) return undefined;
  const name = textAt(block, 0, 100);
  const type = String.fromCharCode(block[156] ?? 0);
  // GNU tar has the same magic with spaces, and times where ustar has the front part of a long name.
  const prefix = textAt(block, 257, 6) === "ustar" && block[262] === 0 ? textAt(block, 345, 155) : "";
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    sizeBytes,
    modifiedAt: numberAt(block, 136, 12) * 1000,
    type: type === "\0" || type === "7" ? "0" : type,
  };
}

/** What a pax record says of the entry that follows (POSIX.1-2001): `length key=value` lines. */
export function paxFields(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 ? NaN : Number(decoded(bytes.subarray(at, space)));
    if (!Number.isSafeInteger(length) || length <= space - at || at + length > bytes.length) break;
    const line = decoded(bytes.subarray(space + 1, at + length - 1));
    const equals = line.indexOf("=");
    if (equals > 0) fields.set(line.slice(0, equals), line.slice(equals + 1));
    at += length;
  }
  return fields;
}

/** UTF-8 where the bytes are, else Latin-1; up to the first NUL. */
export function textAt(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return decoded(end < 0 ? field : field.subarray(0, end));
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Octal digits, or for what these cannot hold a big-endian number after a byte with its high bit set (GNU). */
function numberAt(block: Uint8Array, start: number, length: number): number {
  const first = block[start] ?? 0;
  if ((first & 0x80) === 0) {
    const digits = textAt(block, start, length).trim();
    return digits === "" ? 0 : /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
  }
  if (first === 0xff) return -1;
  let value = first & 0x7f;
  for (const byte of block.subarray(start + 1, start + length)) value = value * 256 + byte;
  return value;
}

function hasRightChecksum(block: Uint8Array): boolean {
  const expected = numberAt(block, 148, 8);
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < TAR_BLOCK_BYTES; at++) {
    const byte = at >= 148 && at < 156 ? 0x20 : (block[at] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  // Some old writers summed signed characters.
  return expected === unsigned || expected === signed;
}
