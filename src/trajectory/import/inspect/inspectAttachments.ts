import type { EventOrigin } from "../../../session";
import type { ImportBuilder } from "../importBuilder";
import { field, isRecord, record, text } from "../jsonAccess";

/** Puts the texts that were moved out of messages and events back. What needs no change is returned as it is. */
export type Resolve = (value: unknown) => unknown;

const REFERENCE = /^(?:attachment|tc):\/\/([0-9A-Za-z]+)$/;
/** References within a longer text; the first writers had `tc:`. */
const REFERENCES = /(?:attachment|tc):\/\/([0-9a-f]{32})/g;
/** Values nest a dozen levels; past this nothing is a reference any more. */
const DEPTH = 64;

/** A sample's `attachments`, or the `content` of a transcript of the first logs. A missing one is warned of, once. */
export function attachmentsOf(sample: unknown, origin: EventOrigin, out: ImportBuilder): Resolve {
  const attachments = field(sample, "attachments");
  const texts = isRecord(attachments) ? attachments : record(field(field(sample, "transcript"), "content"));
  const missing = new Set<string>();
  const textOf = (hash: string): string | undefined => {
    const found = text(field(texts, hash));
    if (found === undefined && !missing.has(hash)) {
      missing.add(hash);
      out.warn({ code: "attachment-missing", message: `Attachment ${hash} is not in the sample`, origin, kept: true });
    }
    return found;
  };
  const resolve = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") {
      if (!value.includes("://")) return value;
      const [, whole] = REFERENCE.exec(value) ?? [];
      if (whole !== undefined) return textOf(whole) ?? value;
      return value.replace(REFERENCES, (reference, hash: string) => textOf(hash) ?? reference);
    }
    if (typeof value !== "object" || value === null || depth > DEPTH) return value;
    if (Array.isArray(value)) return (value as readonly unknown[]).map((entry) => resolve(entry, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, resolve(entry, depth + 1)]));
  };
  return (value) => resolve(value, 0);
}
