/** Bytes as base64, and back. */
export function base64FromBytes(bytes: Uint8Array): string {
  let binary = "";
  // A call takes so many arguments and no more.
  for (let at = 0; at < bytes.length; at += 0x80_00) binary += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(binary);
}

/** `undefined` for a text that is no base64. */
export function bytesFromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
