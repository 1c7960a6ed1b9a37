import type { EventOrigin } from "../../session";
import type { ImportBuilder } from "./importBuilder";
import type { FormatFile } from "./importSource";

/** What detection looks at: the beginning of one file, or the names of all. */
export interface Probe {
  /**
   * `lines`: several JSON values, one a line or one after the other; `json`: one value, a log of a single line too;
   * `text`: anything else; `entries`: the paths of several files, asked before any of them is looked into.
   */
  readonly kind: "lines" | "json" | "text" | "entries";
  /** Path of the file; `""` of `entries`. */
  readonly path: string;
  /** The first 64 KiB as text. */
  readonly head: string;
  /** The first values of `lines`; of `json` its value, when it is small enough to be parsed whole. */
  readonly records: readonly unknown[];
  /** Paths of all files. */
  readonly paths: readonly string[];
}

/** The values a format is to be recognised by: those of a log, or the elements of a document that is a list. */
export function probedRecords({ records }: Probe): readonly unknown[] {
  const [first] = records;
  return records.length === 1 && Array.isArray(first) ? (first as readonly unknown[]) : records;
}

/** One value of a file and where it stands. */
export interface SourceRecord {
  readonly value: unknown;
  readonly origin: EventOrigin;
}

/** What a format reads: the files it was found for. Without `file` the functions mean the first. */
export interface FormatInput {
  readonly files: readonly FormatFile[];
  /**
   * Lines of JSON, values one after the other, or the elements of a list; broken ones are warned of and left out.
   * Streams: neither the text nor the values are held.
   */
  records(file?: FormatFile): AsyncIterable<SourceRecord>;
  /** The one value of a file. One that is broken is mended as far as it goes, with a warning; `undefined` when nothing is left. */
  document(file?: FormatFile): Promise<SourceRecord | undefined>;
  /** The file as text, without a BOM. */
  text(file?: FormatFile): Promise<string>;
  /** The archive the files lie in, for formats that are archives themselves. */
  readonly archive?: FormatFile | undefined;
  readonly signal: AbortSignal;
  /** @throws what the signal was aborted with */
  progress(): void;
}

/** A way to write sessions down, known by what is in a file. */
export interface TrajectoryFormat {
  /** As the command line says it. */
  readonly name: string;
  /** Set when sessions lie across files: all files it is found in are then read at once. */
  readonly acrossFiles?: boolean;
  /** 0: another's; the higher the surer. Looks at the probe only. Never throws. */
  detect(probe: Probe): number;
  /** Never throws but for the signal: what is broken is warned of. */
  read(input: FormatInput, out: ImportBuilder): Promise<void>;
}
