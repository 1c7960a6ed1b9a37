import { UnavailableError } from "../pathError";
import { checksumOf } from "./checksum";
import type { HeldContents } from "./contentPacks";
import { DamagedRecordError, madeOf } from "./damagedRecordError";
import type { RecordKey } from "./records";

/**
 * One step of a disk's log. `write` names a content by its hash; `remove` takes a file or a directory with all below it;
 * `mark` makes a directory that stays when it is empty.
 */
export type DiskStep =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly hash: string;
      readonly sizeBytes: number;
      readonly modifiedAt: number;
    }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "mark"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string };

/** A disk's newest state, by numbers. */
export interface DiskHead {
  readonly schema: number;
  /** Commits so far; each has a log record of its number. */
  readonly sequence: number;
  /** Generation of the checkpoint in force; 0 is none. */
  readonly checkpoint: number;
  /** The last commit the checkpoint holds; the log goes on after it. */
  readonly checkpointSequence: number;
}

/** What is stored of a head: it changes with the checkpoint, and how far the log goes is told by the log's last key. */
export type HeadRecord = Omit<DiskHead, "sequence"> & {
  /** `undefined` in schema 1, which had `sequence` and `logSize` instead. */
  readonly checksum?: number;
  readonly sequence?: number;
};

export function recordFromHead({ schema, checkpoint, checkpointSequence }: DiskHead): HeadRecord {
  return { schema, checkpoint, checkpointSequence, checksum: checksumOf(schema, checkpoint, checkpointSequence) };
}

/**
 * @param lastLogged number of the last commit in the log; records at or below the checkpoint are of nobody
 * @throws DamagedRecordError; UnavailableError when commits are lost
 */
export function headFromRecord(value: unknown, lastLogged: number): DiskHead | undefined {
  if (value === undefined) return undefined;
  const { schema, checkpoint, checkpointSequence, checksum, sequence: told } = (value ?? {}) as HeadRecord;
  const isNumbered = [schema, checkpoint, checkpointSequence].every(Number.isInteger);
  const isWhole = () =>
    schema === 1 ? Number.isInteger(told) : checksum === checksumOf(schema, checkpoint, checkpointSequence);
  if (!isNumbered || !isWhole()) throw new DamagedRecordError(HEAD_WORDS);
  const sequence = Math.max(checkpointSequence, lastLogged);
  if (told !== undefined && told !== sequence) throw new UnavailableError("/", LOST_REASON);
  return { schema, sequence, checkpoint, checkpointSequence };
}

export const HEAD_WORDS = "the head of a disk";
export const LOST_REASON = "Records of this disk are lost.";

/**
 * Steps in columns: names joined by NUL (no name holds one), hashes one after the other. Columns are several times faster to
 * store and to read than an object a step.
 */
export interface StepsRecord {
  /** A letter a step: w, d, m or r. */
  readonly kinds: string;
  /** A path a step; a rename has two. */
  readonly paths: string;
  /** 64 digits a `write`. */
  readonly hashes: string;
  /** A number a `write`. */
  readonly sizes: Float64Array;
  /** A number a `write`. */
  readonly times: Float64Array;
  /** CRC-32 over all of the above. */
  readonly checksum: number;
  /** Small contents of this commit, until the next checkpoint puts them into a pack. */
  readonly contents?: HeldContents;
}

export const diskHeadKey = (disk: string): RecordKey => ["d", disk, "h"];
export const diskLogPrefix = (disk: string): RecordKey => ["d", disk, "l"];
export const diskLogKey = (disk: string, sequence: number): RecordKey => ["d", disk, "l", sequence];
export const checkpointKey = (disk: string, generation: number): RecordKey => ["d", disk, "c", generation, 0];

const HASH_LENGTH = 64;

export function recordFromSteps(steps: readonly DiskStep[], contents?: HeldContents): StepsRecord {
  const writes = steps.filter((step) => step.kind === "write");
  const columns = {
    kinds: steps.map((step) => LETTERS[step.kind]).join(""),
    paths: steps.flatMap((step) => (step.kind === "rename" ? [step.path, step.to] : step.path)).join("\0"),
    hashes: writes.map((step) => step.hash).join(""),
    sizes: Float64Array.from(writes, (step) => step.sizeBytes),
    times: Float64Array.from(writes, (step) => step.modifiedAt),
  };
  return { ...columns, checksum: checksumOfSteps(columns), ...(contents && { contents }) };
}

const COMMIT_WORDS = "a commit of a disk";
const LETTERS = { write: "w", remove: "d", mark: "m", rename: "r" } as const;

/** @throws DamagedRecordError */
export function stepsFromRecord(value: unknown): DiskStep[] {
  const record = value as StepsRecord;
  const isWhole = madeOf(COMMIT_WORDS, () => checksumOfSteps(record) === record.checksum);
  if (!isWhole) throw new DamagedRecordError(COMMIT_WORDS);
  const paths = record.paths.split("\0");
  let pathIndex = 0;
  let writeIndex = 0;
  const nextPath = () => paths[pathIndex++] ?? "/";
  return Array.from(record.kinds, (letter): DiskStep => {
    if (letter === "d") return { kind: "remove", path: nextPath() };
    if (letter === "m") return { kind: "mark", path: nextPath() };
    if (letter === "r") return { kind: "rename", path: nextPath(), to: nextPath() };
    const at = writeIndex++;
    return {
      kind: "write",
      path: nextPath(),
      hash: record.hashes.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH),
      sizeBytes: record.sizes[at] ?? 0,
      modifiedAt: record.times[at] ?? 0,
    };
  });
}

/** Characters and bytes of a record, as a measure of when to write the next checkpoint. */
export function sizeOfRecord({ kinds, paths, hashes, sizes, contents }: StepsRecord): number {
  return kinds.length + paths.length + hashes.length + sizes.length * 16 + (contents?.bytes.length ?? 0);
}

function checksumOfSteps({ kinds, paths, hashes, sizes, times }: Omit<StepsRecord, "checksum">): number {
  let sum = crcOfText(0, kinds);
  sum = crcOfText(sum, paths);
  sum = crcOfText(sum, hashes);
  sum = crcOfBytes(sum, new Uint8Array(sizes.buffer, sizes.byteOffset, sizes.byteLength));
  return crcOfBytes(sum, new Uint8Array(times.buffer, times.byteOffset, times.byteLength));
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crcOfBytes(start: number, bytes: Uint8Array): number {
  let crc = ~start;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function crcOfText(start: number, text: string): number {
  let crc = ~start;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    crc = (CRC_TABLE[(crc ^ unit) & 0xff] ?? 0) ^ (crc >>> 8);
    if (unit > 0xff) crc = (CRC_TABLE[(crc ^ (unit >>> 8)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
