import { limits, nextTask } from "../../base";
import { TrajectoryError } from "../trajectoryError";
import { CollectedImport } from "./collectedImport";
import type { FormatInput, SourceRecord, TrajectoryFormat } from "./format";
import type { ImportBuilder } from "./importBuilder";
import type { ImportedTrajectory } from "./importedTrajectory";
import type { FormatFile, ImportSource } from "./importSource";
import { formats as allFormats } from "./formats";
import { KeptValues } from "./keptValues";
import { mendedJson } from "./mendedJson";
import { folderClaims, type FolderClaim } from "./folderClaims";
import { entriesProbe, parsedDocument, plain, probedFile, type ProbedFile } from "./probe";
import { recordsOf, type FileShape } from "./records";
import { isBrokenArchive, sourceFiles, type SourceFiles } from "./sourceFiles";

export interface ImportOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  /** Events made of them so far. */
  readonly events: number;
}

/**
 * Reads a file, a folder or an archive of sessions in any format known, told by what is in it. What is broken costs itself
 * and a warning. Runs anywhere.
 *
 * @throws TrajectoryError `not-a-session` when there is nothing to be read, `newer-schema` · what the signal was aborted with
 */
export async function importTrajectory(source: ImportSource, options: ImportOptions = {}): Promise<ImportedTrajectory> {
  return await importWith(allFormats, source, options);
}

/** The same with other formats. */
export async function importWith(
  formats: readonly TrajectoryFormat[],
  source: ImportSource,
  options: ImportOptions = {},
): Promise<ImportedTrajectory> {
  const name = source.name ?? source.files[0]?.path ?? "";
  try {
    options.signal?.throwIfAborted();
    return await new ImportRun(formats, await sourceFiles(source), name, options).result();
  } catch (error) {
    if (error instanceof TrajectoryError || options.signal?.aborted === true) throw error;
    if (isBrokenArchive(error)) throw new TrajectoryError("not-a-session", error.message);
    const reason = error instanceof Error ? error.message : String(error);
    throw new TrajectoryError("not-a-session", `The file could not be read: ${reason}`);
  }
}

/** What one format reads at once. */
interface Batch extends FolderClaim {
  /** Sets the sessions of files that know nothing of each other apart. */
  readonly prefix: string;
}

class ImportRun {
  readonly #formats: readonly TrajectoryFormat[];
  readonly #source: SourceFiles;
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #onProgress: ((progress: ImportProgress) => void) | undefined;
  readonly #shapes = new Map<FormatFile, FileShape>();
  #doneBytes = 0;
  #out: CollectedImport | undefined;

  constructor(formats: readonly TrajectoryFormat[], source: SourceFiles, name: string, options: ImportOptions) {
    this.#formats = formats;
    this.#source = source;
    this.#name = name;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#onProgress = options.onProgress;
  }

  async result(): Promise<ImportedTrajectory> {
    const { files, sha256 } = this.#source;
    if (files.every(({ sizeBytes }) => sizeBytes === 0)) {
      throw new TrajectoryError("not-a-session", files.length === 0 ? "There is no file in it." : "The file is empty.");
    }
    const { batches, unknown } = await this.#batches();
    const [main] = batches;
    if (main === undefined) throw new TrajectoryError("not-a-session", this.#nothingFound());
    const facts = { format: main.format.name, sha256, fileName: this.#name };
    const out = new CollectedImport(facts, new KeptValues());
    this.#out = out;
    for (const { path, reason } of this.#source.refused) out.warn({ code: "bad-entry", message: `${path}: ${reason}` });
    for (const batch of batches) await this.#read(batch, out);
    for (const path of unknown)
      out.warn({ code: "unknown-file", message: `${path} is in no format known; it was left out.` });
    const { sessions, fidelity } = out.finish();
    if (sessions.length === 0)
      throw new TrajectoryError("not-a-session", `There is no session in it (${main.format.name}).`);
    const { totalBytes } = this.#source;
    // Some formats make their events at the end only.
    this.#onProgress?.({
      bytes: totalBytes,
      totalBytes,
      events: sessions.reduce((sum, { events }) => sum + events.length, 0),
    });
    const version = out.versionSaid === "" ? "unknown" : out.versionSaid;
    const { name: format } = main.format;
    return { format, version, sha256, sessions, warnings: out.warnings(), fidelity, blobs: out.values.blobs };
  }

  /** Which format reads what, the one that reads most first. */
  async #batches(): Promise<{ batches: readonly Batch[]; unknown: readonly string[] }> {
    const { files, archives } = this.#source;
    const paths = files.map(({ path }) => path);
    const claims = folderClaims(files, archives, (inside) => this.#best((each) => each.detect(entriesProbe(inside))));
    const claimed = new Set(claims.flatMap((claim) => claim.files));
    const { found, unknown } = await this.#probedFiles(
      files.filter((file) => !claimed.has(file)),
      paths,
    );
    const batches = [...claims, ...found].toSorted((a, b) => b.files.length - a.files.length);
    if (batches.length === 1) return { batches: batches.map((batch) => ({ ...batch, prefix: "" })), unknown };
    return {
      batches: batches.map((batch) => ({ ...batch, prefix: `${batch.format.name}/${batch.files[0]?.path ?? ""}/` })),
      unknown,
    };
  }

  /** What single files are; those of a format whose sessions lie across files are read at once. */
  async #probedFiles(
    files: readonly FormatFile[],
    paths: readonly string[],
  ): Promise<{ found: readonly FolderClaim[]; unknown: readonly string[] }> {
    const across = new Map<TrajectoryFormat, FormatFile[]>();
    const alone: FolderClaim[] = [];
    const unknown: string[] = [];
    for (const file of files) {
      this.#signal.throwIfAborted();
      const probed = await this.#probed(file, paths);
      const format = probed === undefined ? undefined : this.#best((each) => each.detect(probed.probe));
      if (format === undefined) unknown.push(file.path);
      else if (format.acrossFiles === true) across.set(format, [...(across.get(format) ?? []), file]);
      else alone.push({ format, files: [file] });
    }
    return { found: [...[...across].map(([format, own]) => ({ format, files: own })), ...alone], unknown };
  }

  async #probed(file: FormatFile, paths: readonly string[]): Promise<ProbedFile | undefined> {
    if (file.sizeBytes === 0) return undefined;
    try {
      const probed = await probedFile(file, paths);
      this.#shapes.set(file, probed.shape);
      return probed;
    } catch {
      // An entry of an archive that cannot be unpacked is no format's.
      return undefined;
    }
  }

  #best(score: (format: TrajectoryFormat) => number): TrajectoryFormat | undefined {
    let best: TrajectoryFormat | undefined;
    let most = 0;
    for (const format of this.#formats) {
      const found = score(format);
      if (found > most) [best, most] = [format, found];
    }
    return best;
  }

  async #read({ format, files, archive, prefix }: Batch, out: CollectedImport): Promise<void> {
    const builder = prefix === "" ? out : prefixed(out, prefix);
    try {
      await format.read(this.#input(files, archive, builder), builder);
    } catch (error) {
      // Of several formats one that finds nothing does not keep the others from being read.
      if (this.#signal.aborted || (error instanceof TrajectoryError && prefix === "")) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      out.warn({ code: "reader-failed", message: `Reading as ${format.name} ended early: ${reason}`, kept: false });
    }
  }

  #input(files: readonly FormatFile[], archive: FormatFile | undefined, out: ImportBuilder): FormatInput {
    const first = files[0];
    const several = this.#source.files.length > 1;
    const placeOf = (file: FormatFile) => (several ? { file: file.path } : {});
    const progress = (): void => {
      this.#signal.throwIfAborted();
    };
    return {
      files,
      archive,
      signal: this.#signal,
      progress,
      records: (file = first) => this.#records(file, file === undefined ? {} : placeOf(file), out),
      document: async (file = first) =>
        file === undefined ? undefined : await this.#document(file, placeOf(file), out),
      text: async (file = first) => (file === undefined ? "" : plain(await (await this.#opened(file, out)).text())),
    };
  }

  async *#records(
    file: FormatFile | undefined,
    place: { readonly file?: string },
    out: ImportBuilder,
  ): AsyncGenerator<SourceRecord, void, undefined> {
    if (file === undefined) return;
    const before = this.#doneBytes;
    const blob = await this.#opened(file, out);
    let told = 0;
    const shape = this.#shapes.get(file) ?? (await probedFile(file, [])).shape;
    // A list of which not even the first element is whole is mended as a document is, which warns by itself.
    const held: Parameters<ImportBuilder["warn"]>[0][] = [];
    let isHeld = shape === "list" && blob.size <= limits.importDocumentBytes;
    const warn = (warning: Parameters<ImportBuilder["warn"]>[0]): void => {
      if (isHeld) held.push(warning);
      else out.warn(warning);
    };
    for await (const record of recordsOf(blob, shape, place, warn)) {
      if (isHeld) for (const warning of held) out.warn(warning);
      isHeld = false;
      yield record;
      const read = record.origin.byte + record.origin.length;
      if (read - told < limits.importProgressBytes) continue;
      told = read;
      this.#tell(before + read);
      // Whoever waits for progress, or wants to stop it, gets a turn.
      await nextTask();
      this.#signal.throwIfAborted();
    }
    if (isHeld) yield* await this.#mendedList(file, place, out);
    this.#doneBytes = before + file.sizeBytes;
    this.#tell(this.#doneBytes);
    this.#signal.throwIfAborted();
  }

  async #mendedList(
    file: FormatFile,
    place: { readonly file?: string },
    out: ImportBuilder,
  ): Promise<readonly SourceRecord[]> {
    const document = await this.#document(file, place, out);
    if (document === undefined || !Array.isArray(document.value)) return [];
    return (document.value as readonly unknown[]).map((value, index) => ({
      value,
      origin: { ...document.origin, pointer: `/${index}` },
    }));
  }

  async #document(
    file: FormatFile,
    place: { readonly file?: string },
    out: ImportBuilder,
  ): Promise<SourceRecord | undefined> {
    const blob = await this.#opened(file, out);
    const origin = { ...place, line: 1, byte: 0, length: blob.size };
    const document = await parsedDocument(blob);
    this.#doneBytes += file.sizeBytes;
    this.#tell(this.#doneBytes);
    this.#signal.throwIfAborted();
    if (document !== undefined) return { value: document.json, origin };
    const isLarge = blob.size > limits.importDocumentBytes;
    const text = isLarge ? "" : plain(await blob.text());
    const mended = mendedJson(text);
    if (mended === undefined) {
      const [code, why] = isLarge ? ["too-long", "is too large to be read whole"] : ["bad-json", "is not valid JSON"];
      out.warn({ code, origin, message: `The file ${why}.`, kept: false });
      return undefined;
    }
    let byte = 0;
    let before = 0;
    for (const { at, isCut } of mended.problems) {
      byte += new Blob([text.slice(before, at)]).size;
      before = at;
      const [code, what] = isCut ? ["cut", "The file was cut: what comes after"] : ["bad-json", "What stands at"];
      const message = `${what} byte ${byte} could not be read and was left out.`;
      out.warn({ code, origin: { ...place, byte, length: 0 }, message, kept: false });
    }
    return { value: mended.value, origin };
  }

  async #opened(file: FormatFile, out: ImportBuilder): Promise<Blob> {
    try {
      return await file.open();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      out.warn({ code: "bad-entry", message: `${file.path} cannot be read: ${reason}`, kept: false });
      return new Blob([]);
    }
  }

  #tell(bytes: number): void {
    const { totalBytes } = this.#source;
    this.#onProgress?.({ bytes: Math.min(bytes, totalBytes), totalBytes, events: this.#out?.eventCount ?? 0 });
  }

  #nothingFound(): string {
    const names = [...new Set(this.#formats.map(({ name }) => name))].join(", ");
    return `Nothing in it is a session in a format known here (${names}).`;
  }
}

/** The same builder for files that know nothing of each other: their keys are apart. */
function prefixed(out: CollectedImport, prefix: string): ImportBuilder {
  return {
    session: (key, about) => out.session(key, about, prefix),
    adopt: (session) => out.adopt(session),
    warn: (warning) => out.warn(warning),
    version: (version) => out.version(version),
    fidelity: (part) => out.fidelity(part),
    blob: (bytes) => out.blob(bytes),
  };
}
