import { limits, sha256HexSync, type JsonObject, type JsonValue } from "../../base";

/** Levels of nesting an event keeps: recordings have a dozen; past some thousands nothing can write it as JSON again. */
const DEPTH = limits.importValueDepth;

/**
 * Values on their way from a file into events: text made well-formed, what is large put into blobs and referred to as
 * `{ $blob, mediaType, sizeBytes, head }`, what is nested without end cut off.
 */
export class KeptValues {
  readonly blobs = new Map<string, Uint8Array>();
  readonly #encoder = new TextEncoder();

  /** Text with U+FFFD in the place of halves of surrogate pairs. */
  text(value: string): string {
    return value.isWellFormed() ? value : value.toWellFormed();
  }

  value(value: unknown): JsonValue {
    return this.#kept(value, 0);
  }

  object(value: object): JsonObject {
    const kept = this.value(value);
    return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as JsonObject) : {};
  }

  blob(bytes: Uint8Array): string {
    const hash = sha256HexSync(bytes);
    if (!this.blobs.has(hash)) this.blobs.set(hash, bytes);
    return hash;
  }

  textBlob(text: string): { readonly hash: string; readonly sizeBytes: number } {
    const bytes = this.#encoder.encode(text);
    return { hash: this.blob(bytes), sizeBytes: bytes.length };
  }

  image(content: string | Uint8Array, mediaType: string): JsonObject {
    const bytes = typeof content === "string" ? bytesFromBase64(content) : content;
    if (bytes === undefined) return { type: "image", mediaType, text: this.value(content) };
    return { type: "image", mediaType, blob: this.blob(bytes), sizeBytes: bytes.length };
  }

  #kept(value: unknown, depth: number): JsonValue {
    if (typeof value === "string") return this.#keptText(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") return null;
    if (depth >= DEPTH) return `[nested deeper than ${DEPTH} levels]`;
    // What needs no change is kept as it is: most values, and a copy of each would be a second file in memory.
    if (Array.isArray(value)) {
      const kept = (value as readonly unknown[]).map((entry) => this.#kept(entry, depth + 1));
      return kept.every((entry, index) => entry === value[index]) ? (value as readonly JsonValue[]) : kept;
    }
    let changed = false;
    const entries = Object.entries(value).map(([name, entry]): [string, JsonValue] => {
      const keptName = this.text(name);
      const kept = this.#kept(entry, depth + 1);
      if (kept !== entry || keptName !== name) changed = true;
      return [keptName, kept];
    });
    // `fromEntries` makes own fields of all names, `__proto__` too.
    return changed ? Object.fromEntries(entries) : (value as JsonObject);
  }

  #keptText(value: string): JsonValue {
    const text = this.text(value);
    if (text.length * 3 <= limits.largeValueBytes) return text;
    const { hash, sizeBytes } = this.#largeBlob(text);
    if (hash === undefined) return text;
    return { $blob: hash, mediaType: "text/plain", sizeBytes, head: headOf(text) };
  }

  #largeBlob(text: string): { readonly hash: string | undefined; readonly sizeBytes: number } {
    const bytes = this.#encoder.encode(text);
    return { hash: bytes.length > limits.largeValueBytes ? this.blob(bytes) : undefined, sizeBytes: bytes.length };
  }
}

/** The beginning of a text, not cut within a character. */
function headOf(text: string): string {
  return text.slice(0, limits.importValueHeadCharacters).replace(/[\ud800-\udbff]$/, "");
}

function bytesFromBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(
      text.includes("-") || text.includes("_") ? text.replaceAll("-", "+").replaceAll("_", "/") : text,
    );
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}
