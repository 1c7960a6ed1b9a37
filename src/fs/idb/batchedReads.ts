import type { RecordKey, Records } from "./records";

/** To ask for a record takes a browser some 40 µs, and nothing else gets a turn between two of them. */
const ASKED_AT_ONCE = 200;

interface Wanted {
  readonly text: Promise<string | undefined>;
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads texts by id; those asked for at the same time share one transaction, which costs more than what it reads. Each is
 * answered as soon as it is there, so that work on many is in many pieces.
 */
export function batchedReads(
  records: Records,
  keyOf: (id: string) => RecordKey,
): (id: string) => Promise<string | undefined> {
  let batch: Map<string, Wanted> | undefined;

  function newBatch(): Map<string, Wanted> {
    const wanted = new Map<string, Wanted>();
    void (async () => {
      await Promise.resolve();
      batch = undefined;
      try {
        await records.read(async (reader) => {
          const read = async ([id, { resolve }]: [string, Wanted]) =>
            resolve((await reader.get(keyOf(id))) as string | undefined);
          const all = [...wanted];
          for (let at = 0; at < all.length; at += ASKED_AT_ONCE)
            await Promise.all(all.slice(at, at + ASKED_AT_ONCE).map(read));
        });
      } catch (error) {
        for (const { reject } of wanted.values()) reject(error);
      }
    })();
    return wanted;
  }

  return (id) => {
    const current = (batch ??= newBatch());
    const known = current.get(id);
    if (known) return known.text;
    let [resolve, reject]: [Wanted["resolve"], Wanted["reject"]] = [() => undefined, () => undefined];
    const text = new Promise<string | undefined>((resolved, rejected) => {
      [resolve, reject] = [resolved, rejected];
    });
    current.set(id, { text, resolve, reject });
    return text;
  };
}
