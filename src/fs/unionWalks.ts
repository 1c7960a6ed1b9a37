import type { DirEntry, FileSystem, GrepQuery, GrepResult, SearchQuery, SearchResult } from "./fileSystem";
import { globBase } from "./globBase";
import { TimeSlice } from "./grep/timeSlice";
import { lazyIterable } from "./lazyIterable";
import { mergedSorted, type MergeSource } from "./mergedSorted";
import { errorFromMount, isShadowed, type Mount, type MountTable } from "./mountTable";
import { isUnder, normalizeFsPath, pathFromMount, pathInMount } from "./path";
import { PathError } from "./pathError";
import { byLine, byPath, byScore } from "./resultOrder";

type Walks = Pick<FileSystem, "list" | "glob" | "grep" | "search">;

/** The verbs of a union that ask several mounts: each yields in order, so they are merged as they come. */
export function unionWalks(table: MountTable): Walks {
  return {
    list: (prefix = "/") => listed(table, normalizeFsPath(prefix)),
    glob: (pattern, dir = "/") => globbed(table, pattern, normalizeFsPath(dir)),
    grep: (query) => grepped(table, query, normalizeFsPath(query.path ?? "/")),
    search: (query) => searched(table, query),
  };
}

interface Asked<T> {
  readonly mount: Mount;
  /** The path in the mount that an error without one of its own is about. */
  readonly inner: string;
  readonly ask: () => AsyncIterable<T>;
  /** Of the items, by their whole paths, those to be kept. */
  readonly keep?: ((path: string) => boolean) | undefined;
  /** Something of the path, before or after all the mount has. */
  readonly at?: (path: string) => T;
  readonly explain?: (error: unknown) => unknown;
}

/** One mount's part of a walk: prefix put back, what another mount owns left out, errors told as the whole would. */
function mountSource<T extends { readonly path: string }>(asked: Asked<T>): MergeSource<T> {
  const { mount, inner, keep, at } = asked;
  const { prefix, shadowedBy } = mount;
  const accept = (item: T): T | undefined => {
    const path = pathFromMount(prefix, item.path);
    if (shadowedBy.length > 0 && isShadowed(mount, path)) return undefined;
    if (keep !== undefined && !keep(path)) return undefined;
    return prefix === "/" ? item : { ...item, path };
  };
  return {
    // As `0` comes right after `/`, all the mount has lies between the two.
    ...(at !== undefined && { floor: at(`${prefix}/`), ceiling: at(`${prefix}0`) }),
    open: () => asked.ask()[Symbol.asyncIterator](),
    accept,
    explain: asked.explain ?? ((error) => errorFromMount(mount, error, inner)),
  };
}

function listed(table: MountTable, scope: string): AsyncIterable<DirEntry> {
  const sources: MergeSource<DirEntry>[] = [];
  const directories = table.directories.filter((path) => path !== scope && isUnder(path, scope));
  // First, so that where a mount has a file in the way of another mount the directory is what shows.
  if (directories.length > 0) sources.push({ open: () => directoryEntries(directories) });
  for (const { mount, inner, isBelow } of partsOf(table, scope)) {
    sources.push(mountSource({ mount, inner, ask: () => mount.tree.list(inner), ...(isBelow && { at: entryAt }) }));
  }
  return mergedSorted(sources, byPath, { unique: true });
}

async function* directoryEntries(paths: readonly string[]): AsyncGenerator<DirEntry, void, undefined> {
  for (const path of paths) yield { path, kind: "directory" };
}

/** The mounts a walk of `scope` asks, and where in each: the owner at the scope, those below it whole. */
function* partsOf(table: MountTable, scope: string) {
  const owner = table.owner(scope);
  if (owner !== undefined) yield { mount: owner, inner: pathInMount(owner.prefix, scope), isBelow: false };
  for (const mount of table.below(scope)) yield { mount, inner: "/", isBelow: true };
}

function entryAt(path: string): DirEntry {
  return { path, kind: "file" };
}

function globbed(table: MountTable, pattern: string, scope: string): AsyncIterable<DirEntry> {
  const sources: MergeSource<DirEntry>[] = [];
  const isFile = (path: string) => !table.isDirectory(path);
  for (const { mount, inner, isBelow } of partsOf(table, scope)) {
    if (!isBelow) {
      sources.push(mountSource({ mount, inner, ask: () => mount.tree.glob(pattern, inner), keep: isFile }));
      continue;
    }
    const below = globBelow(mount, pattern, scope);
    if (below !== undefined) sources.push(mountSource({ mount, inner, ...below, at: entryAt }));
  }
  return mergedSorted(sources, byPath, { unique: true });
}

/** How a mount below the scope is asked for a pattern; `undefined` when nothing in it can match. */
function globBelow(mount: Mount, pattern: string, scope: string): Pick<Asked<DirEntry>, "ask"> | undefined {
  const lead = pathInMount(scope, mount.prefix);
  const base = `/${globBase(pattern)}`;
  if (isUnder(base, lead)) {
    // The pattern names the way to the mount in plain letters: the rest of it is the mount's own matter.
    const rest = pattern.replace(/^(?:\.?\/+)+/, "").slice(lead.length);
    return { ask: () => mount.tree.glob(rest, "/") };
  }
  if (!isUnder(lead, base)) return undefined;
  const start = scope === "/" ? 1 : scope.length + 1;
  const ask = () =>
    lazyIterable(async () => {
      const { globMatcher } = await import("./globMatcher");
      const matches = globMatcher(pattern);
      return filesOf(mount.tree.list("/"), (path) => matches(pathFromMount(mount.prefix, path).slice(start)));
    });
  return { ask };
}

async function* filesOf(
  entries: AsyncIterable<DirEntry>,
  passes: (path: string) => boolean,
): AsyncGenerator<DirEntry, void, undefined> {
  const slice = new TimeSlice();
  for await (const entry of entries) {
    if (entry.kind === "file" && passes(entry.path)) yield entry;
    if (slice.isOver) await slice.pause();
  }
}

function grepped(table: MountTable, query: GrepQuery, scope: string): AsyncIterable<GrepResult> {
  const sources: MergeSource<GrepResult>[] = [];
  let passes: (path: string) => boolean = () => false;
  for (const { mount, inner, isBelow } of partsOf(table, scope)) {
    // A glob that speaks of more than a name is about whole paths, which the mount does not know.
    const isWhole = mount.prefix !== "/" && (query.glob?.includes("/") || query.glob?.startsWith("!"));
    const keep = isWhole ? (path: string) => passes(path) : undefined;
    const isCut = isWhole || mount.shadowedBy.length > 0;
    sources.push(
      mountSource({
        mount,
        inner,
        ask: () => {
          // The cap may be the mount's only where all its hits count.
          const hits = mount.tree.grep(mountQuery(query, inner, isWhole ?? false, isCut ?? false));
          if (!isWhole) return hits;
          return lazyIterable(async () => {
            const { grepFilter } = await import("./grepFilter");
            passes = grepFilter({ path: scope, glob: query.glob });
            return hits[Symbol.asyncIterator]();
          });
        },
        keep,
        ...(isBelow && { at: (path) => ({ path, lineNumber: 0, line: "" }) }),
        explain: (error) =>
          error instanceof PathError && error.code === "invalid-grep-pattern"
            ? error.withPath(scope)
            : errorFromMount(mount, error, inner),
      }),
    );
  }
  return mergedSorted(sources, byLine, { limit: query.maxResults });
}

function mountQuery(query: GrepQuery, path: string, dropGlob: boolean, dropCap: boolean): GrepQuery {
  const { glob, maxResults, ...rest } = query;
  return {
    ...rest,
    path,
    ...(glob !== undefined && !dropGlob && { glob }),
    ...(maxResults !== undefined && !dropCap && { maxResults }),
  };
}

function searched(table: MountTable, query: SearchQuery): AsyncIterable<SearchResult> {
  const { paths, maxResults, ...rest } = query;
  const scopes = paths?.map(normalizeFsPath);
  const sources: MergeSource<SearchResult>[] = [];
  for (const mount of table.mounts) {
    const inner = scopes === undefined ? undefined : pathsInMount(table, mount, scopes);
    if (inner?.length === 0) continue;
    const scoped: SearchQuery = {
      ...rest,
      ...(inner !== undefined && !inner.includes("/") && { paths: inner }),
      ...(maxResults !== undefined && mount.shadowedBy.length === 0 && { maxResults }),
    };
    sources.push(mountSource({ mount, inner: "/", ask: () => mount.tree.search(scoped) }));
  }
  return mergedSorted(sources, byScore, { limit: maxResults });
}

/** The scopes as a mount knows them; one above the mount is all of it. */
function pathsInMount(table: MountTable, mount: Mount, scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => {
    if (isUnder(mount.prefix, scope)) return ["/"];
    return table.owner(scope) === mount ? [pathInMount(mount.prefix, scope)] : [];
  });
}
