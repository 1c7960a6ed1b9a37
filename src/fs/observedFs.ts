import type { FileSystem } from "./fileSystem";
import { lazyIterable } from "./lazyIterable";
import { normalizeFsPath, pathFromMount } from "./path";

/** One verb a mount has answered; `path` is whole, with the mount's prefix. */
export interface ServedVerb {
  readonly mount: string;
  readonly path: string;
  readonly verb: keyof Omit<FileSystem, "brief">;
  /** The layer of an overlay that had the answer, where the mount is one. */
  readonly layer?: string;
}

/**
 * The same tree, each verb reported as it is asked, iterables when their first entry is. To be wrapped around a mount
 * before a union is made: who served a call is learned here, not from the interface. Whatever else the tree can do (be
 * edited, give a snapshot) passes through unreported.
 */
export function observedFs<T extends FileSystem>(tree: T, mount: string, observe: (served: ServedVerb) => void): T {
  const prefix = normalizeFsPath(mount);
  const report = (verb: ServedVerb["verb"], path = "/") =>
    observe({ mount: prefix, path: pathFromMount(prefix, normalizeFsPath(path)), verb });
  const once = <R>(verb: ServedVerb["verb"], path: string | undefined, open: () => AsyncIterable<R>) =>
    lazyIterable(() => {
      report(verb, path);
      return open()[Symbol.asyncIterator]();
    });
  const told = <R>(verb: ServedVerb["verb"], path: string, open: () => Promise<R>) => {
    report(verb, path);
    return open();
  };
  const verbs: Omit<FileSystem, "brief"> = {
    list: (path) => once("list", path, () => tree.list(path)),
    stat: (path) => told("stat", path, () => tree.stat(path)),
    glob: (pattern, dir) => once("glob", dir, () => tree.glob(pattern, dir)),
    read: (path) => told("read", path, () => tree.read(path)),
    grep: (query) => once("grep", query.path, () => tree.grep(query)),
    write: (path, contents) => told("write", path, () => tree.write(path, contents)),
    delete: (path) => told("delete", path, () => tree.delete(path)),
    search: (query) => once("search", query.paths?.[0], () => tree.search(query)),
  };
  return new Proxy(tree, {
    get: (target, key): unknown => {
      if (Object.hasOwn(verbs, key)) return verbs[key as keyof typeof verbs];
      const value: unknown = Reflect.get(target, key, target);
      // Methods of an authored class need their own `this`.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
