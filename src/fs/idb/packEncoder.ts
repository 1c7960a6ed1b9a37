import { limits } from "../../base";

/**
 * Encodes texts as UTF-8 one after the other into buffers of a pack's size, so that the buffer can be stored as the pack it
 * will be (contentPacks.ts): an allocation and a copy a text would cost an import more than the encoding.
 */
export function packEncoder(): (text: string) => Uint8Array {
  const encoder = new TextEncoder();
  let rest = new Uint8Array(0);
  const encodedInto = (text: string): Uint8Array | undefined => {
    const { read, written } = encoder.encodeInto(text, rest);
    if (read < text.length) return undefined;
    const bytes = rest.subarray(0, written);
    rest = rest.subarray(written);
    return bytes;
  };
  return (text) => {
    // What may be too large for a pack is stored on its own.
    if (text.length * 3 > limits.packBytes / 2) return encoder.encode(text);
    const bytes = encodedInto(text);
    if (bytes !== undefined) return bytes;
    rest = new Uint8Array(limits.packBytes);
    return encodedInto(text) ?? encoder.encode(text);
  };
}
