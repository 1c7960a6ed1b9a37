import { limits } from "../../base";
import type { Probe } from "./format";
import type { FormatFile } from "./importSource";
import { mendedJson } from "./mendedJson";
import { parsedText } from "./parsedText";
import { recordsOf, type FileShape } from "./records";

/** A file looked into: what detection asks about, and how its values are to be read. */
export interface ProbedFile {
  readonly file: FormatFile;
  readonly probe: Probe;
  readonly shape: FileShape;
}

/** Looks into one file. */
export async function probedFile(file: FormatFile, paths: readonly string[]): Promise<ProbedFile> {
  const blob = await file.open();
  const head = plain(await blob.slice(0, limits.importProbeBytes).text());
  const found = await valuesOf(blob, head);
  return { file, shape: found.shape, probe: { ...found, path: file.path, head, paths } };
}

/** What formats of several files are asked with before any of them is looked into. */
export function entriesProbe(paths: readonly string[]): Probe {
  return { kind: "entries", path: "", head: "", records: [], paths };
}

interface FoundValues {
  readonly kind: Probe["kind"];
  readonly shape: FileShape;
  readonly records: readonly unknown[];
}

async function valuesOf(blob: Blob, head: string): Promise<FoundValues> {
  const start = head.trimStart();
  if (start.startsWith("[") || start.startsWith("{")) {
    // A list of one element a line has lines that are JSON as they stand only at its end. Of a document that is one value
    // the lines are not tried one by one: none of them is JSON.
    const lines = isWholeLine(start) ? await firstRecords(blob, "lines") : [];
    if (lines.length > 1) return { kind: "lines", shape: "lines", records: lines };
    const document = await parsedDocument(blob);
    const shape: FileShape = start.startsWith("[") ? "list" : "values";
    if (document !== undefined) return { kind: "json", shape, records: [document.json] };
    return await brokenValues(blob, shape, lines.length > 0 ? lines : await firstRecords(blob, "lines"));
  }
  const lines = await firstRecords(blob, "lines");
  const objects = lines.filter((value) => typeof value === "object" && value !== null);
  const lineCount = head.split("\n").filter((line) => line.trim() !== "").length;
  const isLog = objects.length > 0 && objects.length * 2 >= Math.min(lineCount, limits.importProbeRecords);
  return { kind: isLog ? "lines" : "text", shape: "lines", records: isLog ? objects : [] };
}

/** What begins like JSON and is not all of it: a log whose first line is broken, values one after the other, or a cut file. */
async function brokenValues(blob: Blob, shape: FileShape, lines: readonly unknown[]): Promise<FoundValues> {
  if (shape === "values" && blob.size <= limits.importDocumentBytes) {
    const text = plain(await blob.text());
    const mended = holdsOneValue(text) ? mendedJson(text) : undefined;
    if (mended !== undefined) return { kind: "json", shape, records: [mended.value] };
  }
  const objects = lines.filter((value) => typeof value === "object" && value !== null);
  const values = await firstRecords(blob, shape);
  if (objects.length >= Math.max(1, values.length)) return { kind: "lines", shape: "lines", records: objects };
  if (values.length === 0) {
    const mended = blob.size > limits.importDocumentBytes ? undefined : mendedJson(plain(await blob.text()));
    return { kind: "json", shape, records: mended === undefined ? [] : [mended.value] };
  }
  if (shape === "list") return { kind: "json", shape, records: [values] };
  return { kind: values.length > 0 ? "lines" : "json", shape, records: values };
}

/**
 * Whether a text that begins an object holds only that one, however broken: no line begins another, and none stands behind
 * its end. Within a document a comma, a colon or a bracket stands before an object, and strings have no line ends.
 */
export function holdsOneValue(text: string): boolean {
  return !/[^\s,[:][ \t\r]*\n\{/.test(text) && !/^\s*\{/.test(text.slice(endOfValue(text)));
}

/** Where the first object or list of a text ends; at the end of the text when it does not. */
function endOfValue(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth <= 0) return at + 1;
  }
  return text.length;
}

/** The quote that ends the string that begins at a place. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === '"') return at;
  }
  return text.length;
}

/** Whether the first line of a text is JSON by itself; one longer than the text is taken for it. */
function isWholeLine(text: string): boolean {
  const end = text.indexOf("\n");
  if (end === -1) return true;
  try {
    JSON.parse(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

async function firstRecords(blob: Blob, shape: FileShape): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  let read = 0;
  // Enough for fifty lines of images; a file of a single endless line is found out by its whole.
  const beginning = blob.slice(0, limits.logLineBytes * 2);
  for await (const { value, origin } of recordsOf(beginning, shape, {}, () => undefined)) {
    records.push(value);
    read = origin.byte + origin.length;
    if (records.length >= limits.importProbeRecords) break;
    if (records.length > 1 && read > limits.importProbeBytes * 4) break;
  }
  return records;
}

/** The one value of a file, when it is one. */
export async function parsedDocument(blob: Blob): Promise<{ readonly json: unknown } | undefined> {
  if (blob.size > limits.importDocumentBytes) return undefined;
  try {
    return { json: parsedText(plain(await blob.text())) };
  } catch {
    return undefined;
  }
}

/** Text without the NULs of a torn write and without a BOM. */
export function plain(text: string): string {
  const bare = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return bare.startsWith("\ufeff") ? bare.slice(1) : bare;
}
