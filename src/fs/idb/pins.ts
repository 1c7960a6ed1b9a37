import { bumpEpoch } from "./projectHead";
import type { RecordKey, RecordReader, RecordWriter } from "./records";

/** What an owner (a kept session) needs: contents by hash, trees by root hash. */
export interface Pins {
  readonly contents: readonly string[];
  readonly trees: readonly string[];
}

const pinKey = (owner: string, number: number): RecordKey => ["r", owner, number];

/** Keeps what is named, from this transaction on, for as long as the owner keeps it. */
export async function putPins(writer: RecordWriter, owner: string, number: number, pins: Pins): Promise<void> {
  if (pins.contents.length === 0 && pins.trees.length === 0) return;
  await bumpEpoch(writer);
  writer.put(pinKey(owner, number), pins);
}

/** The owner needs nothing any more. */
export async function deletePins(writer: RecordWriter, owner: string): Promise<void> {
  await bumpEpoch(writer);
  writer.deleteAll(["r", owner]);
}

/** What all owners need together. */
export async function allPins(reader: RecordReader): Promise<Pins> {
  const pins = (await reader.entries({ prefix: ["r"] })).map(([, value]) => value as Pins);
  return { contents: pins.flatMap(({ contents }) => contents), trees: pins.flatMap(({ trees }) => trees) };
}
