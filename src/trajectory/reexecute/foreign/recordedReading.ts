import type { JsonObject, JsonValue } from "../../../base";
import type { DeclaredNormaliser } from "../divergenceReport";
import type { ForeignOperation } from "./foreignOperation";

/** What a recorded result of another program says, with the program's own words around it taken off. */
export interface RecordedReading {
  /** Lines of a file by their numbers, from 1. */
  readonly lines?: ReadonlyMap<number, string>;
  /** Whether those are all the lines the file has from the first one on. */
  readonly isToEnd?: boolean;
  /** Paths a search or a listing found, sorted. */
  readonly paths?: readonly string[];
  /** Lines a search found, as `path:line:text`, sorted. */
  readonly matches?: readonly string[];
  /** Whether blanks around those lines were taken off. */
  readonly isTrimmed?: boolean;
  /** What a command wrote. */
  readonly text?: string;
  readonly exitCode?: number;
  /** Whether the recording says that something was cut. */
  readonly isCut: boolean;
  /** What was taken off, by the name of the normaliser. */
  readonly normalisers: readonly string[];
}

export const LINE_GUTTER = "line number gutter";
export const HARNESS_WORDS = "words of the tool";
export const LAST_LINE_END = "last line end";
export const RESULT_ORDER = "order of results";
export const LINE_BLANKS = "blanks around lines";

/** The normalisers the readings of other programs' results use, as reports declare them. */
export const foreignNormalisers: readonly DeclaredNormaliser[] = [
  {
    name: LINE_GUTTER,
    about: "Line numbers a tool puts before the lines it shows.",
    tools: ["Read", "Write", "StrReplace"],
  },
  {
    name: HARNESS_WORDS,
    about: "What a tool says around or instead of a result: headings, notes, reminders, snippets' frames.",
    tools: ["Read", "Write", "StrReplace", "Delete", "Glob", "LS", "Grep", "Shell"],
  },
  { name: LAST_LINE_END, about: "Whether the last line shown has a line end.", tools: ["Read", "Shell"] },
  {
    name: RESULT_ORDER,
    about: "The order in which a search or a listing names what it found.",
    tools: ["Glob", "LS", "Grep"],
  },
  { name: LINE_BLANKS, about: "Blanks at both ends of a line a search shows.", tools: ["Grep"] },
];

const REMINDER = /\n*<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;
const CUT =
  /\[?(?:truncated|output too long|content truncated|file content truncated|lines? omitted|characters? truncated|results are truncated|response clipped)|<response clipped>|… ?\+?\d+ lines|\[\.\.\.|more lines? (?:in|below)|use offset/i;
/** opencode writes five digits, a bar and a blank; others pad with blanks and write no blank behind the bar. */
const GUTTER = /^(?:(?<padded>\d{5})\| |\s*(?<number>\d+)(?:→|\t|\||: ))(?<text>.*)$/;

/** The recorded result read as the operation gives it. Never throws. */
export function recordedReading(operation: ForeignOperation, output: JsonValue): RecordedReading {
  switch (operation.kind) {
    case "read":
      return readReading(operation, output);
    case "list":
      return listReading(output) ?? pathsReading(output);
    case "glob":
      return pathsReading(output);
    case "grep":
      return grepReading(output);
    case "shell":
      return shellReading(output);
    default:
      return snippetReading(textOfOutput(output));
  }
}

/** The text of a result whatever it is wrapped in. */
export function textOfOutput(output: JsonValue): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output))
    return (output as readonly JsonValue[])
      .flatMap((part) => (typeof part === "string" ? [part] : isObject(part) ? [textOfOutput(part)] : []))
      .join("\n");
  if (!isObject(output)) return output === null ? "" : JSON.stringify(output);
  for (const name of [
    "text",
    "output",
    "content",
    "stdout",
    "result",
    "value",
    "llmContent",
    "returnDisplay",
    "observation",
  ]) {
    const value = Object.hasOwn(output, name) ? output[name] : undefined;
    if (typeof value === "string") return value;
    if (Array.isArray(value) || (isObject(value) && name !== "value")) return textOfOutput(value as JsonValue);
  }
  return JSON.stringify(output);
}

function readReading(operation: Extract<ForeignOperation, { kind: "read" }>, output: JsonValue): RecordedReading {
  const whole = structuredFile(output);
  if (whole !== undefined) return whole;
  const raw = textOfOutput(output);
  const isCut = CUT.test(raw);
  const framed = raw
    .replaceAll(REMINDER, "")
    .replace(/^\s*<file>\n?|\n?<\/file>\s*$/g, "")
    .replace(/^(?:Here's the result of running|\[?(?:File|Contents?)[: ]).*\n/, "")
    .replace(/\n\(?(?:End of file|File has more lines)[^\n]*\)?\s*$/i, "")
    .replace(/\n+\[(?:\d+ more lines in file|Showing lines)[^\n]*\]\s*$/i, "\n");
  const numbered = guttered(framed);
  const unframed = framed === raw ? [] : [HARNESS_WORDS];
  if (numbered !== undefined) {
    return {
      lines: numbered,
      isToEnd: operation.count === undefined && !isCut,
      isCut,
      normalisers: [LINE_GUTTER, ...unframed],
    };
  }
  const start = operation.start ?? 1;
  const isCutShort = isCut && unframed.length > 0;
  return {
    lines: new Map(textLines(framed).map((line, index) => [start + index, line])),
    isToEnd: operation.count === undefined && !isCut,
    isCut: isCutShort,
    normalisers: unframed,
  };
}

/** A value that names the file's text and its first line: ours, and what Claude Code keeps beside its words. */
function structuredFile(output: JsonValue): RecordedReading | undefined {
  if (!isObject(output)) return undefined;
  const file = isObject(output["file"]) ? output["file"] : output;
  const { content, startLine, totalLines } = file;
  if (typeof content !== "string" || typeof totalLines !== "number") return undefined;
  const first = typeof startLine === "number" ? startLine : 1;
  const lines = textLines(content);
  const isCut = Array.isArray(file["cutLines"]);
  const isToEnd = first + lines.length - 1 >= totalLines && !isCut;
  return { lines: new Map(lines.map((line, index) => [first + index, line])), isToEnd, isCut, normalisers: [] };
}

/**
 * Lines by their gutters, when most lines have one and the numbers rise by one. A line that holds a break of its own goes on
 * without a gutter: what it is cannot be told, so it is left out.
 */
function guttered(text: string): ReadonlyMap<number, string> | undefined {
  const lines = new Map<number, string>();
  let last: number | undefined;
  let others = 0;
  for (const line of text.split("\n")) {
    const found = GUTTER.exec(line.replace(/\r$/, ""));
    const number = Number(found?.groups?.["padded"] ?? found?.groups?.["number"]);
    if (found !== null && (last === undefined || number === last + 1)) {
      lines.set(number, found.groups?.["text"] ?? "");
      last = number;
    } else if (line.trim() !== "") {
      if (last === undefined) return undefined;
      others++;
      lines.delete(last);
    }
  }
  return lines.size === 0 || others > lines.size ? undefined : lines;
}

/** What an edit shows of the file afterwards; nothing where it only says that it is done. */
function snippetReading(text: string): RecordedReading {
  const lines = new Map<number, string>();
  for (const line of text.replaceAll(REMINDER, "").split("\n")) {
    const found = /^\s*(\d+)(?:→|\t)(.*)$/.exec(line.replace(/\r$/, ""));
    if (found !== null) lines.set(Number(found[1]), found[2] ?? "");
  }
  const normalisers = lines.size === 0 ? [HARNESS_WORDS] : [LINE_GUTTER, HARNESS_WORDS];
  return { ...(lines.size === 0 ? {} : { lines }), isCut: false, normalisers };
}

/** A directory drawn as a tree by indents (Claude Code, opencode), or named line by line (Gemini CLI): what is right in it. */
function listReading(output: JsonValue): RecordedReading | undefined {
  const text = textOfOutput(output).replaceAll(REMINDER, "");
  const isCut = CUT.test(text);
  const named = /^Directory listing for [^\n]*:\n([\s\S]*)$/.exec(text)?.[1];
  if (named !== undefined) {
    const names = named.split("\n").filter((line) => line !== "" && !line.startsWith("("));
    const paths = sorted(names.map((line) => line.replace(/^\[DIR\] /, "")));
    return { paths, isCut, normalisers: [HARNESS_WORDS, RESULT_ORDER] };
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("NOTE: "));
  const [root, ...below] = lines.map((line) => /^(\s*)(?:- )?(.*?)\/?$/.exec(line));
  if (root === undefined || root === null || !/^(?:\/|[A-Za-z]:[\\/])/.test(root[2] ?? "")) return undefined;
  const indent = below[0]?.[1]?.length ?? 0;
  if (indent === 0) return undefined;
  const children = below.flatMap((line) => (line?.[1]?.length === indent ? [`${root[2]}/${line[2]}`] : []));
  return { paths: sorted(children), isCut, normalisers: [HARNESS_WORDS, RESULT_ORDER] };
}

function pathsReading(output: JsonValue): RecordedReading {
  const listed = isObject(output) ? (output["filenames"] ?? output["files"]) : output;
  if (Array.isArray(listed) && listed.every((path) => typeof path === "string")) {
    const isCut = isObject(output) && (output["truncated"] === true || output["clientTruncated"] === true);
    return { paths: sorted(listed), isCut, normalisers: [RESULT_ORDER] };
  }
  const text = textOfOutput(output).replaceAll(REMINDER, "");
  const isCut = CUT.test(text);
  if (/^\s*(?:no (?:files?|matches|results)|\(no matches\)|directory is empty)/i.test(text))
    return { paths: [], isCut, normalisers: [HARNESS_WORDS] };
  const lines = text.split("\n").map((line) => line.trim());
  const paths = lines.filter((line) =>
    /^(?:\/|\.{1,2}\/|[A-Za-z]:[\\/]|[\w.@-]+(?:\/[\w.@ +-]+)+$|[\w.@-]+\.\w+$)/.test(line),
  );
  const others = lines.filter((line) => line !== "" && !paths.includes(line));
  // A tree drawn with dashes or marks of its own names paths only together with the lines above it.
  const isTree = others.length > 3 && others.length > paths.length;
  return {
    ...(isTree || paths.length === 0 ? {} : { paths: sorted(paths) }),
    isCut,
    normalisers: others.length === 0 ? [RESULT_ORDER] : [HARNESS_WORDS, RESULT_ORDER],
  };
}

function grepReading(output: JsonValue): RecordedReading {
  if (isObject(output) && Array.isArray(output["matches"])) {
    const matches = (output["matches"] as readonly JsonValue[]).flatMap((match) =>
      isObject(match) ? [[match["file"], match["lineNumber"], match["line"]].map(plain).join(":")] : [],
    );
    return { matches: sorted(matches), isCut: "rest" in output, normalisers: [RESULT_ORDER] };
  }
  const text = (
    isObject(output) && typeof output["content"] === "string" ? output["content"] : textOfOutput(output)
  ).replaceAll(REMINDER, "");
  const grouped = groupedMatches(text);
  if (grouped !== undefined) return grouped;
  const lines = text.split("\n").filter((line) => line.trim() !== "" && line !== "--");
  const matches = lines.filter((line) => /^[^:\n]*[^:\s]:\d+:/.test(line));
  if (matches.length > 0 && matches.length === lines.filter((line) => !/^Found \d+|^\[/.test(line)).length)
    return { matches: sorted(matches), isCut: CUT.test(text), normalisers: [RESULT_ORDER] };
  return pathsReading(output);
}

/** Matches below the name of their file, as Gemini CLI (`L12: text`) and opencode (`Line 12: text`) show them. */
function groupedMatches(text: string): RecordedReading | undefined {
  const matches: string[] = [];
  let file: string | undefined;
  for (const line of text.split("\n")) {
    const named = /^(?:File: (.+)|(\S.*):)$/.exec(line);
    const found = /^\s*(?:L|Line )(\d+): (.*)$/.exec(line);
    if (found !== null && file !== undefined) matches.push(`${file}:${found[1]}:${(found[2] ?? "").trim()}`);
    else if (named !== null) file = named[1] ?? named[2];
  }
  if (matches.length === 0) return undefined;
  const normalisers = [HARNESS_WORDS, RESULT_ORDER, LINE_BLANKS];
  return { matches: sorted(matches), isTrimmed: true, isCut: CUT.test(text), normalisers };
}

/** Exit code and output, whatever a harness writes around them. */
function shellReading(output: JsonValue): RecordedReading {
  const parsed = typeof output === "string" ? parsedObject(output) : isObject(output) ? output : undefined;
  if (parsed !== undefined) {
    const metadata = isObject(parsed["metadata"]) ? parsed["metadata"] : parsed;
    const code = metadata["exit_code"] ?? metadata["exitCode"] ?? metadata["returncode"];
    const { stdout, stderr } = parsed;
    // Ours tells the two apart; what is compared is what a terminal would show.
    const both = typeof stdout === "string" && typeof stderr === "string" ? stdout + stderr : stdout;
    const text = parsed["output"] ?? both;
    if (typeof text === "string")
      return { text, ...(typeof code === "number" ? { exitCode: code } : {}), isCut: isCutText(text), normalisers: [] };
  }
  const raw = textOfOutput(output).replaceAll(REMINDER, "");
  const wrapped =
    /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process )?(?:Exit code:|exited with code) ?(-?\d+)\n(?:[A-Z][\w ]+: .*\n)*Output:\n?([\s\S]*)$/i.exec(
      raw,
    );
  if (wrapped !== null)
    return {
      text: wrapped[2] ?? "",
      exitCode: Number(wrapped[1]),
      isCut: isCutText(raw),
      normalisers: [HARNESS_WORDS],
    };
  const tagged = /<returncode>(-?\d+)<\/returncode>\s*<output>\n?([\s\S]*?)<\/output>/.exec(raw);
  if (tagged !== null)
    return { text: tagged[2] ?? "", exitCode: Number(tagged[1]), isCut: isCutText(raw), normalisers: [HARNESS_WORDS] };
  const gemini =
    /^Command: [\s\S]*?\n(?:Directory: .*\n)?(?:Stdout|Output): ([\s\S]*?)(?:\n(?:Stderr|Error): [\s\S]*)$/.exec(raw);
  if (gemini !== null) {
    const text = gemini[1] === "(empty)" ? "" : (gemini[1] ?? "");
    const code = /\nExit Code: (-?\d+)/.exec(raw)?.[1];
    return {
      text,
      ...(code === undefined ? {} : { exitCode: Number(code) }),
      isCut: isCutText(raw),
      normalisers: [HARNESS_WORDS],
    };
  }
  const openHands = /\n?\[The command completed with exit code (-?\d+)\.?\][\s\S]*$/.exec(raw);
  if (openHands !== null)
    return {
      text: raw.slice(0, openHands.index),
      exitCode: Number(openHands[1]),
      isCut: isCutText(raw),
      normalisers: [HARNESS_WORDS],
    };
  return { text: raw, isCut: isCutText(raw), normalisers: [] };
}

function plain(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function isCutText(text: string): boolean {
  return /\[\.\.\. ?omitted|tokens truncated|lines truncated|output truncated|<truncated|\.\.\. \[\d+ (?:lines|characters)|truncated in the middle/i.test(
    text,
  );
}

function parsedObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value as JsonValue) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** A last line end closes a line and opens none. */
export function textLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
