import { limits } from "../base";
import { InvalidPathError } from "./pathError";

/**
 * The absolute form of a path: rooted at `/`, `.`, `..` and `//` resolved (never above `/`), no trailing slash except on
 * `/` itself. Never throws; what a name may hold is `validFsPath`'s business.
 */
export function normalizeFsPath(path: string): string {
  if (isNormal(path)) return path;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** Whether there is surely nothing to resolve; most paths are as they should be. */
function isNormal(path: string): boolean {
  return path === "/" || (path.startsWith("/") && !path.endsWith("/") && !path.includes("//") && !path.includes("/."));
}

/**
 * The absolute form of a path that may name an entry of a tree.
 * @throws InvalidPathError for NUL, a lone surrogate, or a name of more than `limits.nameBytes` bytes
 */
export function validFsPath(path: string): string {
  const normal = normalizeFsPath(path);
  if (!isValidFsPath(normal)) throw new InvalidPathError(normal);
  return normal;
}

/** Whether a normalized path may name an entry of a tree. */
export function isValidFsPath(path: string): boolean {
  if (path.includes("\0") || !path.isWellFormed()) return false;
  // A UTF-16 unit is at most three bytes of UTF-8: most paths need no counting.
  if (path.length * 3 <= limits.nameBytes) return true;
  return path.split("/").every((name) => utf8Length(name) <= limits.nameBytes);
}

/**
 * The path an entry of an archive or an upload takes below the root of a tree.
 * @throws InvalidPathError for an absolute name, a `..`, a drive letter or backslash of another system, and all that
 * `validFsPath` refuses: such an entry is refused, never bent into shape
 */
export function assertEntryName(name: string): string {
  const segments = name.split("/");
  const isForeign = name.startsWith("/") || name.includes("\\") || /^[A-Za-z]:/.test(name);
  if (name === "" || isForeign || segments.includes("..")) throw new InvalidPathError(name);
  const path = normalizeFsPath(name);
  if (path === "/" || !isValidFsPath(path)) throw new InvalidPathError(name);
  return path;
}

/** Whether `path` is `prefix` or lies below it, by segments: `/agent` covers `/agent/skills`, never `/agent-tools`. */
export function isUnder(path: string, prefix: string): boolean {
  return prefix === "/" || path === prefix || (path.startsWith(prefix) && path.charCodeAt(prefix.length) === 47);
}

/** `path` read from `base`: an absolute one as it is, a relative one below it. */
export function joinFsPath(base: string, path: string): string {
  return normalizeFsPath(path.startsWith("/") ? path : `${base}/${path}`);
}

/** The directory that holds a normalized path; `/` for `/`. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "/";
}

/** The last name of a normalized path; empty for `/`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The names of a normalized path from the root down; none for `/`. */
export function pathNames(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** Every directory above a normalized path, from the top down, without `/` and without the path itself. */
export function ancestorPaths(path: string): string[] {
  const ancestors: string[] = [];
  for (let slash = path.indexOf("/", 1); slash > 0; slash = path.indexOf("/", slash + 1)) {
    ancestors.push(path.slice(0, slash));
  }
  return ancestors;
}

/** A path of the tree mounted at `prefix`, as the whole sees it. */
export function pathFromMount(prefix: string, path: string): string {
  if (prefix === "/") return path;
  return path === "/" ? prefix : prefix + path;
}

/** A path at or below `prefix`, as the tree mounted there sees it. */
export function pathInMount(prefix: string, path: string): string {
  if (prefix === "/") return path;
  return path.slice(prefix.length) || "/";
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
