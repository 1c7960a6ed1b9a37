import { limits } from "../../base";
import { base64FromBytes, bytesFromBase64 } from "../base64";
import { inlinedSessions, type ExportInput } from "./exportOptions";

const PREFIX = "session=";

/** Nothing is compressed to less than a hundredth of itself here; what would be is no session. */
const MOST_TIMES = 100;

/**
 * A session as a fragment of an address, `session=` and the log compressed (raw deflate, base64 without padding in the form
 * for addresses); `undefined` where it is longer than `limits.linkFragmentCharacters`.
 */
export async function sessionFragment(input: ExportInput): Promise<string | undefined> {
  const [main] = await inlinedSessions(input);
  if (main === undefined) return undefined;
  const text = main.events.map((event) => `${JSON.stringify(event)}\n`).join("");
  if (text.length > limits.linkFragmentCharacters * MOST_TIMES) return undefined;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = base64FromBytes(new Uint8Array(await new Response(stream).arrayBuffer()));
  const fragment = `${PREFIX}${packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return fragment.length > limits.linkFragmentCharacters ? undefined : fragment;
}

/**
 * The log in a fragment, as the text of an `.ndjson` file; `undefined` for any other fragment, a broken one, and one that
 * unfolds to more than a session would. Never rejects.
 */
export async function logFromFragment(fragment: string): Promise<string | undefined> {
  const bare = fragment.replace(/^#/, "");
  if (!bare.startsWith(PREFIX)) return undefined;
  const packed = bytesFromBase64(bare.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
  if (packed === undefined) return undefined;
  try {
    const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream();
    return await boundedText(stream.pipeThrough(new DecompressionStream("deflate-raw")));
  } catch {
    return undefined;
  }
}

async function boundedText(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += decoder.decode(piece.value, { stream: true });
    if (text.length > limits.linkFragmentCharacters * MOST_TIMES) {
      await reader.cancel();
      return undefined;
    }
  }
  return text + decoder.decode();
}
