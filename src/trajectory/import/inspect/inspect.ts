import { probedRecords, type FormatInput, type SourceRecord, type TrajectoryFormat } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, text } from "../jsonAccess";
import { chunkedSample } from "./inspectChunks";
import { writeInspectSample } from "./inspectSample";

/** A sample is an entry, or a folder of them with this one in it. */
const SAMPLE = /^(.*?)samples\/(.+)_epoch_(\d+)(?:\/sample)?\.json$/;

/** Logs of Inspect evaluations: a document, or an archive of an entry a sample; a session a sample and epoch. */
export const inspect: TrajectoryFormat = {
  name: "inspect",
  detect(probe) {
    if (probe.kind === "entries") return isArchive(probe.paths) ? 95 : 0;
    if (probe.kind !== "json") return 0;
    const [document] = probedRecords(probe);
    if (document === undefined)
      return /^\s*\{\s*"version"\s*:\s*\d/.test(probe.head) && /"eval"\s*:\s*\{/.test(probe.head) ? 90 : 0;
    if (isLog(document)) return 95;
    return isSample(document) ? 80 : 0;
  },
  async read(input, out) {
    if (isArchive(input.files.map(({ path }) => path))) return readArchive(input, out);
    for (const file of input.files) {
      input.progress();
      const document = await input.document(file);
      if (document === undefined) continue;
      if (!Array.isArray(document.value)) writeDocument(document, file.path, out);
      else
        for (const [index, value] of list(document.value).entries())
          writeDocument({ value, origin: { ...document.origin, pointer: `/${index}` } }, `${file.path}#${index}`, out);
    }
  },
};

function isArchive(paths: readonly string[]): boolean {
  return (
    paths.some((path) => /(^|\/)(header\.json|_journal\/start\.json)$/.test(path)) &&
    paths.some((path) => SAMPLE.test(path) || /(^|\/)summaries\.json$/.test(path) || path.includes("_journal/"))
  );
}

function isLog(document: unknown): boolean {
  const spec = field(document, "eval");
  return (
    isRecord(spec) &&
    (filledText(field(spec, "task")) !== undefined || filledText(field(spec, "model")) !== undefined) &&
    ["samples", "plan", "status", "results", "version"].some((name) => field(document, name) !== undefined)
  );
}

/** An entry of an archive by itself. */
function isSample(document: unknown): boolean {
  return (
    field(document, "epoch") !== undefined &&
    field(document, "target") !== undefined &&
    Array.isArray(field(document, "messages")) &&
    list(field(document, "events") ?? fieldAt(document, "transcript", "events")).some(
      (event) => text(field(event, "event")) !== undefined,
    )
  );
}

function writeDocument(document: SourceRecord, key: string, out: ImportBuilder): void {
  if (!isLog(document.value)) return writeInspectSample(document, undefined, key, out);
  sayVersion(document.value, out);
  const samples = list(field(document.value, "samples"));
  for (const [index, sample] of samples.entries()) {
    const origin = { ...document.origin, pointer: `${document.origin.pointer ?? ""}/samples/${index}` };
    writeInspectSample({ value: sample, origin }, document.value, `${key}#${index}`, out);
  }
}

function sayVersion(header: unknown, out: ImportBuilder): void {
  const version = number(field(header, "version"));
  const writer = filledText(fieldAt(header, "eval", "packages", "inspect_ai"));
  if (version !== undefined) out.version(writer === undefined ? `${version}` : `${version} (inspect_ai ${writer})`);
}

interface SampleEntry {
  readonly file: FormatFile;
  readonly id: string;
  readonly epoch: number;
}

/** Entry by entry: the header first, then one sample after the other, none held once it is written. */
async function readArchive(input: FormatInput, out: ImportBuilder): Promise<void> {
  const header = await readHeader(input);
  sayVersion(header, out);
  const entries = input.files.flatMap((file): SampleEntry[] => {
    const [, , id, epoch] = SAMPLE.exec(file.path) ?? [];
    return id === undefined ? [] : [{ file, id, epoch: Number(epoch) }];
  });
  const ordered = entries.toSorted((a, b) => a.epoch - b.epoch || a.id.localeCompare(b.id, "en", { numeric: true }));
  for (const { file } of ordered) {
    input.progress();
    const document = await input.document(file);
    if (document === undefined) continue;
    if (!file.path.endsWith("/sample.json")) {
      writeInspectSample(document, header, file.path, out);
      continue;
    }
    const { sample, events } = await chunkedSample(input, document, file.path.slice(0, -"sample.json".length));
    writeInspectSample(sample, header, file.path, out, events);
  }
  await warnOfMissing(input, entries, out);
}

/** A log that was cut off has no header yet, but how it began. */
async function readHeader(input: FormatInput): Promise<unknown> {
  for (const name of ["header.json", "_journal/start.json"]) {
    const file = input.files.find(({ path }) => path === name || path.endsWith(`/${name}`));
    const document = file === undefined ? undefined : await input.document(file);
    if (document !== undefined) return document.value;
  }
  return undefined;
}

async function warnOfMissing(input: FormatInput, entries: readonly SampleEntry[], out: ImportBuilder): Promise<void> {
  const have = new Set(entries.map(({ id, epoch }) => `${id} ${epoch}`));
  const whole = input.files.filter(({ path }) => /(^|\/)summaries\.json$/.test(path));
  const journal = input.files.filter(({ path }) => /(^|\/)_journal\/summaries\/\d+\.json$/.test(path));
  for (const file of whole.length > 0 ? whole : journal) {
    const document = await input.document(file);
    for (const [index, summary] of list(document?.value).entries()) {
      const id = text(field(summary, "id")) ?? number(field(summary, "id"));
      const epoch = number(field(summary, "epoch"));
      if (id === undefined || epoch === undefined || have.has(`${id} ${epoch}`)) continue;
      have.add(`${id} ${epoch}`);
      out.warn({
        code: "sample-missing",
        message: `Sample ${id}, epoch ${epoch}, is listed and not in the archive`,
        ...(document === undefined ? {} : { origin: { ...document.origin, pointer: `/${index}` } }),
        kept: false,
      });
    }
  }
}
