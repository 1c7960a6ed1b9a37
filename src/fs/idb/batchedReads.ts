import type { RecordKey, Records } from "./records";

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
        return new Map(await Promise.all([...ids].map(read)));
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
