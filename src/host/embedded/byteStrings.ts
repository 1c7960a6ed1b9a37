/** Characters turned at once: an argument list has its bounds. */
const SLICE = 32_768;

/** Bytes as the shell passes them on: a character each. */
export function latin1FromBytes(bytes: Uint8Array): string {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE) slices.push(String.fromCharCode(...bytes.subarray(at, at + SLICE)));
  return slices.join("");
}

export function bytesFromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a file written with this text and encoding holds. */
export function bytesFromText(text: string, encoding: string): Uint8Array {
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return bytesFromLatin1(text);
    case "base64":
      return bytesFromLatin1(atob(text));
    case "hex":
      return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    default:
      return encoder.encode(text);
  }
}

export function textFromBytes(bytes: Uint8Array, encoding: string): string {
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return latin1FromBytes(bytes);
    case "base64":
      return btoa(latin1FromBytes(bytes));
    case "hex":
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    default:
      return decoder.decode(bytes);
  }
}
