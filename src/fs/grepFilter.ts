import { fileTypeGlobs } from "./fileTypeGlobs";
import type { GrepQuery } from "./fileSystem";
import { globMatcher } from "./globMatcher";
import { nearestFileTypes } from "./nearestFileTypes";
import { ancestorPaths, baseName, isUnder, normalizeFsPath, pathInMount } from "./path";
import { UnknownFileTypeError } from "./unknownFileTypeError";

/**
 * Whether a query's `path`, `glob` and `type` let a file through; paths are whole and normalized. As in ripgrep a glob
 * without a slash matches the basename at any depth, a leading `!` excludes (a directory with all below it), and a file
 * that `path` names itself is always let through; a glob that says yes is asked alone, without `type`. A glob with a slash
 * matches relative to `path` or to the root, whichever fits: a model may think in either.
 * @throws UnknownFileTypeError
 */
export function grepFilter(query: Pick<GrepQuery, "path" | "glob" | "type">): (path: string) => boolean {
  const scope = normalizeFsPath(query.path ?? "/");
  const matchesGlob = query.glob ? globFilter(query.glob, scope) : undefined;
  const matchesType = query.type ? typeFilter(query.type, scope) : undefined;
  const isIncluding = query.glob ? !query.glob.startsWith("!") : false;
  return (path) => {
    if (path === scope) return true;
    if (!isUnder(path, scope)) return false;
    if (matchesGlob !== undefined && !matchesGlob(path)) return false;
    return isIncluding || (matchesType?.(path) ?? true);
  };
}

function globFilter(glob: string, scope: string): (path: string) => boolean {
  if (!glob.startsWith("!")) return pathGlob(glob, scope);
  const pattern = glob.slice(1);
  const excludes = pathGlob(pattern.replace(/\/+$/, ""), scope);
  const isDirectoryOnly = pattern.endsWith("/");
  return (path) => !(!isDirectoryOnly && excludes(path)) && !directoriesBelow(path, scope).some(excludes);
}

function pathGlob(glob: string, scope: string): (path: string) => boolean {
  const matches = globMatcher(glob);
  if (!glob.includes("/")) return (path) => matches(baseName(path));
  return (path) => matches(pathInMount(scope, path).slice(1)) || matches(path.slice(1));
}

function directoriesBelow(path: string, scope: string): string[] {
  return ancestorPaths(path).filter((directory) => directory !== scope && isUnder(directory, scope));
}

function typeFilter(type: string, scope: string): (path: string) => boolean {
  const globs = fileTypeGlobs.get(type);
  if (globs === undefined) throw new UnknownFileTypeError(scope, type, nearestFileTypes(type));
  const endings = globs.filter((glob) => /^\*\.\w+$/.test(glob)).map((glob) => glob.slice(1));
  const matchers = globs.filter((glob) => !/^\*\.\w+$/.test(glob)).map((glob) => globMatcher(glob));
  return (path) => {
    const name = baseName(path);
    return endings.some((ending) => name.endsWith(ending)) || matchers.some((matches) => matches(name));
  };
}
