import { limits, type JsonObject } from "../base";
import { webFetchShape } from "./harnessShapes";
import { toolFromShape } from "./nativeDefinition";
import type { Tool, ToolCall } from "./tool";
import { WebError } from "./webError";
import { webAddress, webRequest, type WebAnswer } from "./webRequest";
import { shownText } from "./webSpill";

export interface WebFetchOptions {
  /** The page's own where left out. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * `webFetch`: a page of the web as text (docs/tools.md, section 11). It asks as nobody in particular, and says exactly why
 * it has nothing to show: its errors are WebErrors. The text is data of somebody else's.
 */
export function webFetchTool({ fetch }: WebFetchOptions = {}): Tool {
  return toolFromShape(webFetchShape, async (input, call) => {
    const url = webAddress(input["url"] as string);
    const answer = await webRequest(url, { signal: call.signal, fetch }, mayBeText);
    return await output(url.href, answer, call);
  });
}

async function output(url: string, answer: WebAnswer, call: ToolCall): Promise<JsonObject> {
  const { finalUrl, mediaType, bytes } = answer;
  const { text, title } = await readableText(answer, call.signal);
  return {
    url,
    ...(finalUrl === url ? {} : { finalUrl }),
    ...(title === undefined || title === "" ? {} : { title }),
    mediaType,
    fileSize: bytes.length,
    ...(await shownText(text, call)),
  };
}

async function readableText(
  answer: WebAnswer,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly title?: string }> {
  const { bytes, mediaType, finalUrl } = answer;
  const isHtml = HTML_TYPES.has(mediaType) || (mediaType === "" && looksLikeHtml(bytes));
  const text = decoded(answer, isHtml);
  if (text.includes("\0")) {
    throw new WebError("not-text", `${finalUrl} says it is ${mediaType || "nothing"}, and holds no text.`, finalUrl);
  }
  if (!isHtml) return { text };
  const { textFromHtml } = await import("./webHtmlText");
  return await textFromHtml(text, finalUrl, signal);
}

const HTML_TYPES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

/** Text by its kind; what says nothing of itself is looked at. */
function mayBeText(mediaType: string): boolean {
  if (mediaType === "" || mediaType.startsWith("text/") || HTML_TYPES.has(mediaType)) return true;
  return /^(application|model|message)\/([\w.-]+\+)?(json|xml|yaml|x-yaml|toml|sql|graphql|javascript|ecmascript|x-javascript|typescript|x-sh|x-ndjson|ndjson|jsonl|json5|manifest|rtf|x-www-form-urlencoded|rss)$|^image\/svg\+xml$|\+(json|xml|yaml)$|^application\/(ld|geo)\+json$/.test(
    mediaType,
  );
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, limits.webSniffedBytes));
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(head);
}

/** As the server says it is encoded, else as the page says of itself, else UTF-8; a byte order mark is stronger. */
function decoded({ bytes, charset }: WebAnswer, isHtml: boolean): string {
  const head = isHtml ? new TextDecoder("latin1").decode(bytes.subarray(0, limits.webSniffedBytes)) : "";
  const declared = charset ?? /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ?? "utf-8";
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  return decoderOf(marked ?? declared).decode(bytes);
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
