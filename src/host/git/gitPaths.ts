import { GitError } from "./gitError";

/** Whether a path from the top is meant. */
export type PathFilter = (path: string) => boolean;

/** A path as typed, from the top of the repository: `""` is the top itself. @throws GitError `fatal` when it is outside */
export function repositoryPath(typed: string, cwd: string, dir: string): string {
  const parts: string[] = [];
  for (const part of (typed.startsWith("/") ? typed : `${cwd}/${typed}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const path = `/${parts.join("/")}`;
  if (path === dir) return "";
  const above = dir === "/" ? "/" : `${dir}/`;
  if (!path.startsWith(above))
    throw new GitError("fatal", `fatal: ${typed}: '${typed}' is outside repository at '${dir}'`);
  return path.slice(above.length);
}

/** All that lies at or below one of the paths, or matches one with `*`, `?` or `[…]`. */
export function pathFilter(paths: readonly string[]): PathFilter {
  const tests = paths.map(onePathFilter);
  return (path) => tests.some((test) => test(path));
}

export function onePathFilter(spec: string): PathFilter {
  if (spec === "") return () => true;
  if (!/[*?[]/.test(spec)) return (path) => path === spec || path.startsWith(`${spec}/`);
  const source = spec
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replaceAll("[!", "[^");
  const pattern = new RegExp(`^${source}(/.*)?$`);
  return (path) => pattern.test(path);
}

/** A path from the top as it is seen from the working directory. */
export function relativePath(path: string, prefix: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length) || "./";
  const [from, to] = [prefix.split("/").slice(0, -1), path.split("/")];
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** As git prints a path: in quotes with octal escapes where it is not plain ASCII (`core.quotePath`). */
export function quotedPath(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/["\\\u0000-\u001f\u007f-\uffff]/.test(path)) return path;
  const bytes = new TextEncoder().encode(path);
  return `"${[...bytes].map(escapedByte).join("")}"`;
}

function escapedByte(byte: number): string {
  const letter = String.fromCharCode(byte);
  if (ESCAPES[letter] !== undefined) return ESCAPES[letter];
  return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, "0")}` : letter;
}
