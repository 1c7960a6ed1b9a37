import { inCode, plural } from "./planContext";
import type { ReadLines } from "./toolTexts";

const NAMED_AT_MOST = 8;

/** What can be said of a file by its form alone: its title, first sentences, headings, declarations or keys. */
export function summaryOf(path: string, read: ReadLines): string {
  const { lines, complete } = read;
  if (lines.length === 0) return `${path} is empty.`;
  const size = `${complete ? "" : "more than "}${plural(lines.length, "line")}`;
  if (/\.json$/i.test(path)) return jsonSummary(path, lines.join("\n"), size);
  if (/\.(?:md|mdx|txt|rst)$/i.test(path) || !/\.\w+$/.test(path)) return proseSummary(path, lines, size);
  return codeSummary(path, lines, size);
}

function proseSummary(path: string, lines: readonly string[], size: string): string {
  const headings = lines.flatMap((line) => /^#{1,3}\s+(.+)$/.exec(line)?.[1] ?? []);
  const prose = lines.filter(
    (line) => /^[\p{L}\p{N}"“*_(]/u.test(line.trim()) && !/^(?:[-*]|\d+\.)\s/.test(line.trim()),
  );
  const [first = ""] = prose.join(" ").split(/(?<=[.!?])\s+/);
  const title = headings[0] === undefined ? "" : ` is about “${headings[0]}”`;
  const sections = headings.length > 1 ? ` Its sections: ${named(headings.slice(1))}.` : "";
  return `${path}${title} (${size}).${first === "" ? "" : ` It says: ${first.slice(0, 240)}`}${sections}`;
}

const DECLARATION =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|interface|type|enum|const|def|fn|func|struct|trait)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

function codeSummary(path: string, lines: readonly string[], size: string): string {
  const exported = lines.flatMap((line) => (/^\s*export\b/.test(line) ? (DECLARATION.exec(line)?.[1] ?? []) : []));
  const declared = lines.flatMap((line) => (/^\S/.test(line) ? (DECLARATION.exec(line)?.[1] ?? []) : []));
  const imports = lines.flatMap((line) => /^\s*(?:import|export)\b.*\bfrom\s+["']([^"']+)["']/.exec(line)?.[1] ?? []);
  const comment = lines
    .join("\n")
    .match(/^(?:\/\*\*?\s*|\/\/\s*|#\s*(?!!)|"""\s*)\*?\s*(?!TODO|FIXME)(\S[^\n]*?)(?:\s*\*\/)?$/m)?.[1];
  const names = [...new Set(exported.length > 0 ? exported : declared)];
  const todos = lines.filter((line) => /\b(?:TODO|FIXME)\b/.test(line)).length;
  return [
    `${path} has ${size}.`,
    ...(comment === undefined ? [] : [`Its first comment says: ${comment.replace(/(?<![.!?:])$/, ".")}`]),
    ...(names.length === 0 ? [] : [`It ${exported.length > 0 ? "exports" : "declares"} ${named(names.map(inCode))}.`]),
    ...(imports.length === 0 ? [] : [`It draws on ${named([...new Set(imports)].map(inCode))}.`]),
    ...(todos === 0 ? [] : [`It holds ${plural(todos, "TODO")}.`]),
  ].join(" ");
}

function jsonSummary(path: string, text: string, size: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${path} (${size}) is not JSON that I can read whole.`;
  }
  if (Array.isArray(value))
    return `${path} (${size}) is a list of ${plural(value.length, "entry")}.`.replace("entrys", "entries");
  if (typeof value !== "object" || value === null) return `${path} holds ${inCode(JSON.stringify(value))}.`;
  const fields = value as Record<string, unknown>;
  const facts = ["name", "version", "description", "license"].flatMap((key) =>
    typeof fields[key] === "string" ? [`${key} ${inCode(fields[key])}`] : [],
  );
  return `${path} (${size}) has the keys ${named(Object.keys(fields).map(inCode))}.${facts.length === 0 ? "" : ` ${facts.join(", ")}.`}`;
}

function named(items: readonly string[]): string {
  const rest = items.length - NAMED_AT_MOST;
  return items.slice(0, NAMED_AT_MOST).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
