import { windowedBlob } from "./windowedBlob";

/** Bytes in their order, from a blob or from a stream. */
export interface ByteReader {
  /** The next bytes, fewer than asked for only at the end. */
  next(length: number): Promise<Uint8Array>;
  /** Passes over bytes; false when there were not that many. */
  skip(length: number): Promise<boolean>;
  /** The next bytes to be had later, as often as wanted; `undefined` when there are not that many. */
  later(length: number): Promise<(() => Promise<Uint8Array>) | undefined>;
  /** Lets go of the source. */
  close(): Promise<void>;
}

/** Reads a blob where it lies: what is passed over or only wanted later is not read. */
export function blobReader(blob: Blob): ByteReader {
  let at = 0;
  const read = windowedBlob(blob);
  return {
    next: async (length) => {
      const bytes = await read(at, length);
      at += bytes.length;
      return bytes;
    },
    skip: async (length) => {
      at += length;
      return at <= blob.size;
    },
    later: async (length) => {
      const start = at;
      at += length;
      if (at > blob.size) return undefined;
      return () => read(start, length);
    },
    close: async () => undefined,
  };
}

/** Reads chunks as they come: what is wanted later has to be held. */
export function chunkReader(chunks: AsyncIterator<Uint8Array>): ByteReader {
  let held: Uint8Array = new Uint8Array();
  let isDone = false;
  /** Calls back with what comes next until there was enough or there is no more; how much there was. */
  const take = async (length: number, receive: (part: Uint8Array) => void): Promise<number> => {
    let taken = 0;
    while (taken < length) {
      if (held.length === 0) {
        const step = isDone ? undefined : await chunks.next();
        if (step === undefined || step.done === true) {
          isDone = true;
          return taken;
        }
        held = step.value;
      }
      const part = held.subarray(0, length - taken);
      receive(part);
      taken += part.length;
      held = held.subarray(part.length);
    }
    return taken;
  };
  const gathered = async (length: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(length);
    let at = 0;
    const taken = await take(length, (part) => {
      bytes.set(part, at);
      at += part.length;
    });
    return bytes.subarray(0, taken);
  };
  return {
    next: gathered,
    skip: async (length) => (await take(length, () => undefined)) === length,
    later: async (length) => {
      const bytes = await gathered(length);
      return bytes.length === length ? () => Promise.resolve(bytes) : undefined;
    },
    close: async () => void (await chunks.return?.()),
  };
}
