import { limits, type JsonObject } from "../base";
import { imageMediaType, normalizeFsPath, type FileSystem } from "../fs";
import { base64FromBytes } from "./base64FromBytes";
import { counted } from "./counted";
import { byteCount, characterCount, firstBytes, firstCharacters } from "./cutText";
import type { NativeDefinition } from "./nativeDefinition";
import { pathArgument } from "./pathArgument";
import { untilStopped } from "./stopping";
import type { ModelContent, ToolCall } from "./tool";
import type { ReadOutput, ReadTextOutput } from "./toolOutputs";

export const readDefinition: NativeDefinition = {
  name: "Read",
  description:
    "Reads a file. Text comes with line numbers (`     1|first line`), which are not part of the file; images are shown. " +
    `Without offset and limit it shows the first ${limits.readLines} lines and says how to go on.`,
  effect: "read",
  verbs: ["read"],
  arguments: {
    path: pathArgument("Absolute path of the file, e.g. /src/a.ts."),
    offset: {
      schema: { type: "integer", description: "Line to start at, from 1. A negative number counts back from the end." },
    },
    limit: { schema: { type: "integer", minimum: 1, description: "How many lines to show." } },
  },
  run: readFile,
  modelText: readText,
};

async function readFile(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<ReadOutput> {
  const path = normalizeFsPath(input["path"] as string);
  const contents = await untilStopped(tree.read(path), call.signal);
  if (typeof contents === "string") {
    return textOutput(path, contents, input["offset"] as number | undefined, input["limit"] as number | undefined);
  }
  const fileSize = contents.length;
  const mediaType = imageMediaType(contents);
  if (mediaType === undefined) return { path, binary: true, fileSize };
  if (fileSize > limits.readImageBytes) return { path, binary: true, fileSize, mediaType };
  return { path, content: [{ type: "image", base64: base64FromBytes(contents), mediaType }], fileSize };
}

function textOutput(path: string, text: string, offset: number | undefined, limit: number | undefined): ReadTextOutput {
  const totalLines = lineCount(text);
  const startLine = startOf(offset, totalLines);
  const wanted = limit ?? limits.readLines;
  // One line asked for alone is the way to a whole long line, so only the bytes bound it.
  const lineCharacters = limit === 1 ? Infinity : limits.readLineCharacters;
  const cutLines: { line: number; missingCharacters: number }[] = [];
  let content = "";
  let bytes = 0;
  let shownLines = 0;
  for (const line of linesFrom(text, startLine)) {
    if (shownLines === wanted) break;
    const shown = shownPart(line.text, lineCharacters, limits.readBytes);
    bytes += byteCount(shown) + line.end.length;
    if (bytes > limits.readBytes && shownLines > 0) break;
    content += shown + line.end;
    if (shown.length < line.text.length) {
      const missingCharacters = characterCount(line.text.slice(shown.length));
      cutLines.push({ line: startLine + shownLines, missingCharacters });
    }
    shownLines++;
  }
  const output = { path, content, totalLines, fileSize: byteCount(text), startLine, shownLines };
  return cutLines.length === 0 ? output : { ...output, cutLines };
}

function startOf(offset: number | undefined, totalLines: number): number {
  if (offset === undefined || offset === 0) return 1;
  return offset > 0 ? offset : Math.max(1, totalLines + offset + 1);
}

function shownPart(line: string, characters: number, bytes: number): string {
  const part = line.length > characters ? firstCharacters(line, characters) : line;
  return part.length * 3 > bytes ? firstBytes(part, bytes) : part;
}

/** A last line end closes a line and opens none. */
function lineCount(text: string): number {
  let count = 0;
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

/** The lines from a number on. A carriage return stays in `end`, so that a cut cannot lose it. */
function* linesFrom(text: string, startLine: number): Generator<{ text: string; end: string }, void, undefined> {
  let start = 0;
  for (let line = 1; start < text.length; line++) {
    const newline = text.indexOf("\n", start);
    const next = newline < 0 ? text.length : newline + 1;
    if (line >= startLine) {
      const whole = text.slice(start, next);
      const end = whole.endsWith("\r\n") ? "\r\n" : whole.endsWith("\n") ? "\n" : "";
      yield { text: whole.slice(0, whole.length - end.length), end };
    }
    start = next;
  }
}

function readText(value: JsonObject): string | readonly ModelContent[] | undefined {
  const output = value as unknown as ReadOutput;
  if ("binary" in output) {
    return output["mediaType"] === undefined
      ? `binary file (${output.fileSize} bytes)`
      : `binary file (${output.fileSize} bytes): an image larger than the ${limits.readImageBytes} bytes that can be shown`;
  }
  if (Array.isArray(output.content)) return output.content;
  return typeof output.content === "string" && typeof (output as ReadTextOutput).totalLines === "number"
    ? numberedText(output as ReadTextOutput)
    : undefined;
}

function numberedText(output: ReadTextOutput): string {
  const { content, totalLines } = output;
  if (totalLines === 0) return "(empty file)";
  // A log from elsewhere tells neither: then the content is the whole file.
  const startLine = output.startLine ?? 1;
  const shownLines = output.shownLines ?? totalLines;
  if (shownLines === 0) return `[no line ${startLine}: the file has ${counted(totalLines, "line")}]`;
  const lines = (content.endsWith("\n") ? content.slice(0, -1) : content).split("\n");
  const numbered = lines.map((line, index) => `${String(startLine + index).padStart(6)}|${line}`);
  const notes = [...moreNote(totalLines - startLine - shownLines + 1, startLine + shownLines), ...cutNote(output)];
  return [...numbered, ...(notes.length > 0 ? [`[${notes.join("; ")}]`] : [])].join("\n");
}

function moreNote(missing: number, offset: number): string[] {
  return missing > 0 ? [`${counted(missing, "more line")}: continue with offset=${offset}`] : [];
}

function cutNote(output: ReadTextOutput): string[] {
  const [first, ...others] = output.cutLines ?? [];
  if (first === undefined) return [];
  const { line, missingCharacters } = first;
  if (others.length > 0) {
    return [`${others.length + 1} lines are cut, the first is ${line}: read one whole with offset=${line} and limit=1`];
  }
  const missing = `line ${line} is cut, ${counted(missingCharacters, "more character")}`;
  // Only a line that was asked for alone is longer than that.
  const readAlone = characterCount(output.content.trimEnd()) > limits.readLineCharacters && output.shownLines === 1;
  return [
    readAlone
      ? `${missing}: Grep for a plain text in it to see the part around that text`
      : `${missing}: read it whole with offset=${line} and limit=1`,
  ];
}
