import type { JsonValue } from "../base";
import type { EventDraft } from "./eventStamp";

/** An event without keys in any of its texts (docs/trajectory.md): the same object when there was none in it. */
export function keylessDraft(draft: EventDraft, scrub: (text: string) => string): EventDraft {
  const data = keylessJson(draft.data as unknown as JsonValue, scrub);
  return data === (draft.data as unknown) ? draft : ({ ...draft, data } as unknown as EventDraft);
}

function keylessJson(value: JsonValue | undefined, scrub: (text: string) => string): JsonValue | undefined {
  if (typeof value === "string") return scrub(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => keylessJson(item as JsonValue, scrub));
    return items.every((item, index) => item === value[index]) ? value : (items as JsonValue[]);
  }
  const fields = Object.entries(value).map(([name, field]) => [name, keylessJson(field, scrub)] as const);
  const same = fields.every(([name, field]) => field === (value as { readonly [name: string]: JsonValue })[name]);
  return same ? value : (Object.fromEntries(fields) as JsonValue);
}
