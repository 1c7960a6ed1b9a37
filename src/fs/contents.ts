const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type ImageMediaType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** The kind of image by its first bytes, whatever the name says. */
export function imageMediaType(bytes: Uint8Array): ImageMediaType | undefined {
  switch (bytes[0]) {
    case 0xff:
      return starts(bytes, 0, 0xff, 0xd8, 0xff) ? "image/jpeg" : undefined;
    case 0x89:
      return starts(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ? "image/png" : undefined;
    case 0x47:
      return starts(bytes, 0, 0x47, 0x49, 0x46, 0x38) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61
        ? "image/gif"
        : undefined;
    case 0x52:
      return starts(bytes, 0, 0x52, 0x49, 0x46, 0x46) && starts(bytes, 8, 0x57, 0x45, 0x42, 0x50)
        ? "image/webp"
        : undefined;
    default:
      return undefined;
  }
}

function starts(bytes: Uint8Array, offset: number, ...expected: number[]): boolean {
  return expected.every((byte, at) => bytes[offset + at] === byte);
}

/**
 * What `read` answers for these bytes: text as a string with its BOM and line ends; an image, and whatever holds NUL or is
 * not valid UTF-8, as the bytes themselves (docs/filesystem.md, section 1).
 */
export function contentsFromBytes(bytes: Uint8Array): string | Uint8Array {
  if (imageMediaType(bytes) !== undefined || bytes.includes(0)) return bytes;
  try {
    return decoder.decode(bytes);
  } catch {
    return bytes;
  }
}

/** The bytes of what was written; a string as UTF-8 (a lone surrogate becomes U+FFFD). */
export function bytesFromContents(contents: string | Uint8Array): Uint8Array {
  return typeof contents === "string" ? encoder.encode(contents) : contents;
}
