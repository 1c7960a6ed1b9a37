/** The ways a key may appear in a text: as it is, in JSON, in a URL, in base64 at any offset within what was encoded. */
export function encodedForms(key: string): string[] {
  const inUrl = encodeURIComponent(key);
  const inForm = new URLSearchParams([["k", key]]).toString().slice(2);
  return [
    key,
    JSON.stringify(key).slice(1, -1),
    inUrl,
    inUrl.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    inForm,
    ...[0, 1, 2].flatMap((offset) => base64Core(key, offset)),
  ];
}

/**
 * The base64 characters that depend on the key alone when it stands `offset` bytes into an encoded text (`Bearer …`,
 * `user:…`), in both alphabets.
 */
function base64Core(key: string, offset: number): string[] {
  const bytes = new TextEncoder().encode(key);
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const text = btoa(String.fromCharCode(...padded));
  const firstWhole = Math.ceil((offset * 8) / 6);
  const endWhole = Math.floor((padded.length * 8) / 6);
  const core = text.slice(firstWhole, endWhole);
  return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}
