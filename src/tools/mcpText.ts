import { limits, type JsonObject, type JsonValue } from "../base";
import { counted } from "./counted";
import { byteCount, firstBytes } from "./cutText";
import type { ImagePart, ModelContent } from "./tool";

/** Names under which tools of MCP servers are offered begin with it (docs/connections.md). */
const PREFIX = "mcp__";

export function isMcpToolName(name: string): boolean {
  return name.startsWith(PREFIX);
}

const SHOWN_IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * What a model reads of an MCP server's result: its texts, its images where a model can see them, and a line for all else;
 * where there is none of it, the structured value. `undefined` for a value of another shape.
 */
export function textFromMcp(output: JsonValue): string | readonly ModelContent[] | undefined {
  if (!isObject(output)) return undefined;
  const { content, structuredContent, progress, total, message } = output;
  if (typeof progress === "number" && content === undefined) {
    const figures = typeof total === "number" ? `${progress} of ${total}` : String(progress);
    return typeof message === "string" ? `${message} (${figures})` : figures;
  }
  if (!Array.isArray(content)) return undefined;
  const parts = content.filter((part): part is JsonObject => isObject(part as JsonValue)).map(partFrom);
  if (parts.length === 0) {
    return structuredContent === undefined ? "(no output)" : cut(JSON.stringify(structuredContent));
  }
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length === parts.length) return cut(texts.join("\n"));
  return parts.map((part) => (typeof part === "string" ? { type: "text" as const, text: cut(part) } : part));
}

function partFrom(part: JsonObject): string | ImagePart {
  const { type, text, data, mimeType, resource, uri, name } = part;
  const kind = typeof mimeType === "string" ? mimeType : "unknown kind";
  if (type === "text" && typeof text === "string") return text;
  if ((type === "image" || type === "audio") && typeof data === "string") {
    const sizeBytes = Math.floor((data.length * 3) / 4);
    const isShown = type === "image" && SHOWN_IMAGES.has(kind) && sizeBytes <= limits.readImageBytes;
    return isShown
      ? { type: "image", base64: data, mediaType: kind }
      : `[${type}, ${kind}, ${counted(sizeBytes, "byte")}]`;
  }
  if (type === "resource_link") return [name, uri].filter((word) => typeof word === "string").join(": ");
  if (type === "resource" && isObject(resource ?? null)) return resourceText(resource as JsonObject);
  return JSON.stringify(part);
}

function resourceText({ uri, text, blob, mimeType }: JsonObject): string {
  const address = typeof uri === "string" ? uri : "resource";
  if (typeof text === "string") return `${address}:\n${text}`;
  const size = typeof blob === "string" ? `, ${counted(Math.floor((blob.length * 3) / 4), "byte")}` : "";
  return `[${address}, ${typeof mimeType === "string" ? mimeType : "unknown kind"}${size}]`;
}

function cut(text: string): string {
  const missing = byteCount(text) - limits.mcpTextBytes;
  if (missing <= 0) return text;
  const start = firstBytes(text, limits.mcpTextBytes);
  return `${start}\n[${counted(byteCount(text) - byteCount(start), "more byte")} not shown: ask the tool for less]`;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
