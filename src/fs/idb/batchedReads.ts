import type { RecordKey, Records } from "./records";

/** To ask for a record takes a browser some 40 µs, and nothing else gets a turn between two of them. */
const ASKED_AT_ONCE = 200;

/** Reads texts by id; those asked for at the same time share one transaction, which costs more than what it reads. */
export function batchedReads(
  records: Records,
  keyOf: (id: string) => RecordKey,
): (id: string) => Promise<string | undefined> {
  let batch:
    | { readonly ids: Set<string>; readonly texts: Promise<ReadonlyMap<string, string | undefined>> }
    | undefined;

  function newBatch() {
    const ids = new Set<string>();
    const texts = Promise.resolve().then(() => {
      batch = undefined;
      return records.read(async (reader) => {
        const read = async (id: string) => [id, (await reader.get(keyOf(id))) as string | undefined] as const;
        const wanted = [...ids];
        const found = new Map<string, string | undefined>();
        for (let at = 0; at < wanted.length; at += ASKED_AT_ONCE) {
          for (const [id, text] of await Promise.all(wanted.slice(at, at + ASKED_AT_ONCE).map(read)))
            found.set(id, text);
        }
        return found;
      });
    });
    return { ids, texts };
  }

  return async (id) => {
    const current = (batch ??= newBatch());
    current.ids.add(id);
    return (await current.texts).get(id);
  };
}
