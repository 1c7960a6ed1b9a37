import type { FileSystem } from "./fileSystem";
import type { ServedVerb } from "./observedFs";
import { normalizeFsPath } from "./path";

/**
 * The same tree, for reading, each verb reported when it has answered with something: contents, a file, a first entry or hit.
 * To be wrapped around a layer of an overlay, where being asked says nothing of who served. `path` is as the layer has it.
 */
export function answeredFs(
  tree: FileSystem,
  observe: (answered: Pick<ServedVerb, "path" | "verb">) => void,
): FileSystem {
  const report = (verb: ServedVerb["verb"], path = "/") => observe({ verb, path: normalizeFsPath(path) });
  async function* told<T>(verb: ServedVerb["verb"], path: string | undefined, items: AsyncIterable<T>) {
    let isTold = false;
    for await (const item of items) {
      if (!isTold) report(verb, path);
      isTold = true;
      yield item;
    }
  }
  const verbs: Partial<FileSystem> = {
    list: (path) => told("list", path, tree.list(path)),
    glob: (pattern, dir) => told("glob", dir, tree.glob(pattern, dir)),
    grep: (query) => told("grep", query.path, tree.grep(query)),
    search: (query) => told("search", query.paths?.[0], tree.search(query)),
    stat: async (path) => {
      const info = await tree.stat(path);
      if (info.kind === "file") report("stat", path);
      return info;
    },
    read: async (path) => {
      const contents = await tree.read(path);
      report("read", path);
      return contents;
    },
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
