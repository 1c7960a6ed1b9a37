import type { JsonObject, JsonValue } from "../../../base";
import type { SessionDraft, Where } from "../importBuilder";
import { field, isRecord, jsonValue, list, record, text, type UnknownRecord } from "../jsonAccess";
import { present } from "../present";
import type { SourceRecord } from "../format";

/** What a message or a tool's output holds, whoever wrote it: its text, and what is no text, in order. */
export interface MessageContent {
  readonly text: string;
  /** Text and other parts in order; absent where all is text. */
  readonly parts?: JsonObject[];
}

const TEXT_TYPES: ReadonlySet<string> = new Set([
  "text",
  "input_text",
  "output_text",
  "summary_text",
  "reasoning_text",
]);

/** Where a part of a value stands, and when it happened. */
export function whereOf(source: SourceRecord, pointer?: string, at?: unknown): Where {
  const origin = pointer === undefined ? source.origin : { ...source.origin, pointer };
  return typeof at === "string" || typeof at === "number" ? { origin, at } : { origin };
}

/**
 * Reads content as the providers and the frameworks write it: a string, a list of parts, or one part. Images that are
 * in the file become blobs of the draft; those elsewhere keep their address.
 */
export function messageContent(value: unknown, draft: SessionDraft): MessageContent {
  if (typeof value === "string") return { text: value };
  if (value === undefined || value === null) return { text: "" };
  const texts: string[] = [];
  const parts: JsonObject[] = [];
  let hasOther = false;
  for (const item of Array.isArray(value) ? list(value) : [value]) {
    const written = partText(item);
    if (written === undefined) {
      hasOther = true;
      parts.push(...otherParts(item, draft));
    } else if (written !== "") {
      texts.push(written);
      parts.push({ type: "text", text: written });
    }
  }
  return hasOther ? { text: texts.join("\n"), parts } : { text: texts.join("\n") };
}

/** A tool's output: its text where it is text, the parts where it holds more, else the value itself. */
export function outputOf(value: unknown, draft: SessionDraft): JsonValue {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isContentPart)) return jsonValue(value);
  const content = messageContent(value, draft);
  return content.parts ?? content.text;
}

function isContentPart(item: unknown): boolean {
  const type = text(field(item, "type"));
  return (
    typeof item === "string" || (type !== undefined && (TEXT_TYPES.has(type) || imageSources(record(item)).length > 0))
  );
}

function partText(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  const part = record(item);
  const type = text(part.type);
  if (type === "refusal") return text(part.refusal) ?? "";
  return type === undefined || TEXT_TYPES.has(type) ? text(part.text) : undefined;
}

function otherParts(item: unknown, draft: SessionDraft): JsonObject[] {
  if (!isRecord(item)) return [{ type: "unknown", value: jsonValue(item) }];
  const images = imageSources(item).map((source) => imagePart(source, draft));
  return images.length > 0 ? images : [item as JsonObject];
}

interface ImageSource {
  readonly url?: string;
  readonly base64?: string;
  readonly mediaType?: string;
}

const IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image",
  "media",
  "image-data",
  "image-url",
  "file-data",
  "file-url",
]);

/** Where the images of a part are, in the words of each provider. */
function imageSources(part: UnknownRecord): ImageSource[] {
  const type = text(part.type) ?? "";
  const mediaType = text(part.mediaType) ?? text(part.mimeType) ?? text(part.media_type);
  if (type === "image_url" || type === "input_image" || type === "computer_screenshot")
    return imageSource(field(part.image_url, "url") ?? part.image_url ?? part.url, mediaType);
  if (type === "file")
    return mediaType?.startsWith("image/") === true ? imageSource(part.url ?? part.data, mediaType) : [];
  if (!IMAGE_TYPES.has(type)) return [];
  const urls = list(part.image_urls).flatMap((url) => imageSource(url, mediaType));
  if (urls.length > 0) return urls;
  if (!isRecord(part.source)) return imageSource(part.image ?? part.data ?? part.url, mediaType);
  const { source } = part;
  return imageSource(
    source.data ?? source.url ?? source.path,
    text(source.media_type) ?? text(source.mediaType) ?? mediaType,
  );
}

function imageSource(value: unknown, mediaType: string | undefined): ImageSource[] {
  if (typeof value !== "string" || value === "") return [];
  const isBase64 = value.length >= 16 && /^[A-Za-z0-9+/=_-]{16,64}$/.test(value.slice(0, 64)) && !value.startsWith("/");
  return [
    isBase64 || value.startsWith("/9j/") ? present({ base64: value, mediaType }) : present({ url: value, mediaType }),
  ];
}

function imagePart({ url = "", base64, mediaType }: ImageSource, draft: SessionDraft): JsonObject {
  if (base64 !== undefined) return draft.image(base64, mediaType ?? "image/png");
  const data = /^data:([^;,]*)[^,]*;base64,/i.exec(url.slice(0, 200));
  if (data !== null) return draft.image(url.slice(data[0].length), data[1] || (mediaType ?? "image/png"));
  return present({ type: "image", mediaType, url });
}
