import { checksumOf } from "./checksum";
import { DamagedRecordError } from "./damagedRecordError";
import { bumpEpoch } from "./projectHead";
import type { RecordKey, RecordReader, RecordWriter } from "./records";

/** What an owner (a kept session) needs: contents by hash, trees by root hash. */
export interface Pins {
  readonly contents: readonly string[];
  readonly trees: readonly string[];
}

/** Pins as they are stored; those of earlier versions have no check sum. */
type PinsRecord = Pins & { readonly checksum?: number };

const pinKey = (owner: string, number: number): RecordKey => ["r", owner, number];

/** Keeps what is named, from this transaction on, for as long as the owner keeps it. */
export async function putPins(writer: RecordWriter, owner: string, number: number, pins: Pins): Promise<void> {
  if (pins.contents.length === 0 && pins.trees.length === 0) return;
  await bumpEpoch(writer);
  const record: PinsRecord = { contents: pins.contents, trees: pins.trees, checksum: checksumOfPins(pins) };
  writer.put(pinKey(owner, number), record);
}

/** The owner needs nothing any more. @returns the contents it needed, as far as that can be read */
export async function deletePins(writer: RecordWriter, owner: string): Promise<readonly string[]> {
  const [pins] = await Promise.all([writer.entries({ prefix: ["r", owner] }), bumpEpoch(writer)]);
  writer.deleteAll(["r", owner]);
  return pins.flatMap(([, record]) => {
    const { contents } = (record ?? {}) as Partial<Pins>;
    return Array.isArray(contents) ? contents : [];
  });
}

/** What all owners need together. @throws DamagedRecordError: then nobody knows what may be taken away */
export async function allPins(reader: RecordReader): Promise<Pins> {
  const pins = (await reader.entries({ prefix: ["r"] })).map(([, record]) => pinsFromRecord(record));
  return { contents: pins.flatMap(({ contents }) => contents), trees: pins.flatMap(({ trees }) => trees) };
}

function pinsFromRecord(record: unknown): Pins {
  const { contents, trees, checksum } = (record ?? {}) as Partial<PinsRecord>;
  if (
    !Array.isArray(contents) ||
    !Array.isArray(trees) ||
    (checksum !== undefined && checksum !== checksumOfPins({ contents, trees }))
  ) {
    throw new DamagedRecordError("the list of what a session needs");
  }
  return { contents, trees };
}

function checksumOfPins({ contents, trees }: Pins): number {
  return checksumOf(contents.join(), trees.join());
}
