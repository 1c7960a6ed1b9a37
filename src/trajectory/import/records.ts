import type { EventOrigin } from "../../session";
import { logLines } from "../logLines";
import type { SourceRecord } from "./format";
import type { ImportBuilder } from "./importBuilder";
import { jsonValues } from "./jsonValues";
import { parsedText } from "./parsedText";

/** How the values of a file stand in it. */
export type FileShape = "lines" | "values" | "list";

type Warn = ImportBuilder["warn"];

interface Place {
  readonly file?: string;
}

/** The values of a file. One that is broken costs itself and a warning with its place. */
export async function* recordsOf(
  blob: Blob,
  shape: FileShape,
  place: Place,
  warn: Warn,
): AsyncGenerator<SourceRecord, void, undefined> {
  yield* shape === "lines" ? lineRecords(blob, place, warn) : valueRecords(blob, shape, place, warn);
}

async function* lineRecords(blob: Blob, place: Place, warn: Warn): AsyncGenerator<SourceRecord, void, undefined> {
  for await (const { number, byteOffset, byteLength, text, isEnded } of logLines(blob)) {
    const origin: EventOrigin = { ...place, line: number, byte: byteOffset, length: byteLength };
    if (text === undefined) {
      const message = `Line ${number} is too long (${byteLength} bytes) and was left out.`;
      warn({ code: "too-long", origin, message, kept: false });
      continue;
    }
    const value = parsed(text);
    if (value !== undefined) yield { value: value.json, origin };
    else if (isEnded) {
      warn({ code: "bad-json", origin, message: `Line ${number} is not valid JSON and was left out.`, kept: false });
    } else warn({ code: "cut", origin, message: cutText(origin), kept: false });
  }
}

async function* valueRecords(
  blob: Blob,
  shape: "values" | "list",
  place: Place,
  warn: Warn,
): AsyncGenerator<SourceRecord, void, undefined> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const { bytes, problem, line, byte, length } of jsonValues(blob, shape)) {
    const origin: EventOrigin = { ...place, line, byte, length };
    const value = bytes === undefined || problem !== undefined ? undefined : parsed(decoder.decode(bytes));
    if (value !== undefined) yield { value: value.json, origin };
    else if (problem === "cut") warn({ code: "cut", origin, message: cutText(origin), kept: false });
    else {
      const [code, why] =
        problem === "too-long" ? ["too-long", `is too long (${length} bytes)`] : ["bad-json", "is not valid JSON"];
      warn({ code, origin, message: `The value at byte ${byte} ${why} and was left out.`, kept: false });
    }
  }
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: parsedText(text) };
  } catch {
    return undefined;
  }
}

function cutText({ length, line }: EventOrigin): string {
  return `The file was cut: its last ${length} bytes, from line ${line} on, are lost.`;
}
