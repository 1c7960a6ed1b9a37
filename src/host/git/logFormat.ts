import type { ReadCommitResult } from "isomorphic-git";
import { GitError } from "./gitError";
import { shortOid } from "./gitRepository";

/** How a commit is told: `undefined` of git's own, or the text of `--pretty=format:`. */
export type LogFormat =
  | "medium"
  | "oneline"
  | "short"
  | "full"
  | "fuller"
  | { readonly template: string; readonly isTerminated: boolean };

/** @throws GitError `fatal` that names the formats there are */
export function logFormat(text: string): LogFormat {
  if (text === "medium" || text === "oneline" || text === "short" || text === "full" || text === "fuller") return text;
  const custom = /^(t?format):([\s\S]*)$/.exec(text);
  if (custom !== null) return { template: custom[2] ?? "", isTerminated: custom[1] === "tformat" };
  if (text.includes("%")) return { template: text, isTerminated: true };
  throw new GitError(
    "fatal",
    `fatal: invalid --pretty format: ${text}; here are oneline, short, medium, full, fuller, format:<text> and tformat:<text>`,
  );
}

export interface DecoratedCommit extends ReadCommitResult {
  /** `HEAD -> main, tag: v1`; empty when nothing points there. */
  readonly decoration: string;
}

/** A commit of one of git's own formats, without the line that ends it. */
export function commitText(entry: DecoratedCommit, format: Exclude<LogFormat, object>, isShort: boolean): string {
  const { oid, commit } = entry;
  const id = (isShort ? shortOid(oid) : oid) + (entry.decoration === "" ? "" : ` (${entry.decoration})`);
  if (format === "oneline") return `${id} ${subject(commit.message)}`;
  const lines = [`commit ${id}`];
  if (commit.parent.length > 1) lines.push(`Merge: ${commit.parent.map(shortOid).join(" ")}`);
  const person = ({ name, email }: { name: string; email: string }) => `${name} <${email}>`;
  const pad = format === "fuller" ? "    " : "";
  lines.push(`Author: ${pad}${person(commit.author)}`);
  if (format === "medium") lines.push(`Date:   ${gitDateText(commit.author)}`);
  if (format === "fuller") lines.push(`AuthorDate: ${gitDateText(commit.author)}`);
  if (format === "full" || format === "fuller") lines.push(`Commit: ${pad}${person(commit.committer)}`);
  if (format === "fuller") lines.push(`CommitDate: ${gitDateText(commit.committer)}`);
  const body = format === "short" ? subject(commit.message) : commit.message.trimEnd();
  return [...lines, "", ...body.split("\n").map((line) => `    ${line}`)].join("\n");
}

function subject(message: string): string {
  return (message.trimStart().split(/\n\s*\n/, 1)[0] ?? "").trimEnd().replaceAll("\n", " ");
}

function bodyOf(message: string): string {
  const [, ...rest] = message.trimEnd().split(/\n\s*\n/);
  return rest.length === 0 ? "" : `${rest.join("\n\n")}\n`;
}

interface Stamp {
  readonly timestamp: number;
  readonly timezoneOffset: number;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Tue Dec 1 03:01:55 2026 +0000`, at the place of whoever wrote. */
export function gitDateText(stamp: Stamp): string {
  const date = localDate(stamp);
  const time = date.toISOString().slice(11, 19);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()} ${time} ${date.getUTCFullYear()} ${zone(stamp, "")}`;
}

function localDate({ timestamp, timezoneOffset }: Stamp): Date {
  return new Date((timestamp - timezoneOffset * 60) * 1000);
}

function zone({ timezoneOffset }: Stamp, separator: string): string {
  const minutes = Math.abs(timezoneOffset);
  const digits = (count: number) => String(count).padStart(2, "0");
  return `${timezoneOffset > 0 ? "-" : "+"}${digits(Math.floor(minutes / 60))}${separator}${digits(minutes % 60)}`;
}

function strictDate(stamp: Stamp): string {
  return `${localDate(stamp).toISOString().slice(0, 19)}${zone(stamp, ":")}`;
}

function isoDate(stamp: Stamp): string {
  return `${localDate(stamp).toISOString().slice(0, 19).replace("T", " ")} ${zone(stamp, "")}`;
}

function shortDate(stamp: Stamp): string {
  return localDate(stamp).toISOString().slice(0, 10);
}

function relativeDate({ timestamp }: Stamp): string {
  const seconds = Math.max(0, Math.floor(Date.now() / 1000) - timestamp);
  const units: [number, string][] = [
    [86_400 * 365, "year"],
    [86_400 * 30, "month"],
    [86_400 * 7, "week"],
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ];
  const [size, name] = units.find(([unit]) => seconds >= unit * (unit === 1 ? 0 : 2)) ?? [1, "second"];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}

/** A commit through the placeholders of `--pretty=format:`. One that is not known stays as it is, as in git. */
export function templatedCommit(entry: DecoratedCommit, template: string): string {
  return template.replace(
    /%(a[nNeEdDtiIsr]|c[nNeEdDtiIsr]|x[0-9a-fA-F]{2}|C(?:\([^)]*\)|red|green|blue|reset)|[HhTtPpsBbdDn%])/g,
    (whole, key: string) => placeholder(entry, key) ?? whole,
  );
}

function placeholder(entry: DecoratedCommit, key: string): string | undefined {
  const { oid, commit } = entry;
  if (key.startsWith("x")) return String.fromCharCode(Number.parseInt(key.slice(1), 16));
  if (key.startsWith("C")) return "";
  if (key.length === 2) return personPart(key.startsWith("a") ? commit.author : commit.committer, key.charAt(1));
  const values: Readonly<Record<string, () => string>> = {
    H: () => oid,
    h: () => shortOid(oid),
    T: () => commit.tree,
    t: () => shortOid(commit.tree),
    P: () => commit.parent.join(" "),
    p: () => commit.parent.map(shortOid).join(" "),
    s: () => subject(commit.message),
    b: () => bodyOf(commit.message),
    B: () => `${commit.message.trimEnd()}\n`,
    d: () => (entry.decoration === "" ? "" : ` (${entry.decoration})`),
    D: () => entry.decoration,
    n: () => "\n",
    "%": () => "%",
  };
  return values[key]?.();
}

function personPart(
  person: Stamp & { readonly name: string; readonly email: string },
  part: string,
): string | undefined {
  const values: Readonly<Record<string, () => string>> = {
    n: () => person.name,
    N: () => person.name,
    e: () => person.email,
    E: () => person.email,
    d: () => gitDateText(person),
    D: () => gitDateText(person),
    t: () => String(person.timestamp),
    i: () => isoDate(person),
    I: () => strictDate(person),
    s: () => shortDate(person),
    r: () => relativeDate(person),
  };
  return values[part]?.();
}
