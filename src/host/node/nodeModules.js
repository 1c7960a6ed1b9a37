/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: `require` and ES modules, from the parts the other scripts make.
(host, texts, codecs, makeFiles, makeGlobals, makeAssert) => {
  const { EventEmitter, process, console, timerFunctions, loop, env } = makeGlobals(host, texts, codecs);
  const { assert, util } = makeAssert(texts, codecs);
  const files = makeFiles(host, codecs, process);
  const { fs, path } = files;

  const os = {
    EOL: "\n",
    platform: () => "linux",
    type: () => "Linux",
    arch: () => "wasm32",
    tmpdir: () => "/tmp",
    homedir: () => env.HOME ?? "/home/project",
    hostname: () => "localhost",
    cpus: () => [{}],
    release: () => "0",
  };
  const later = (ms, value) => new Promise((resolve) => setTimeout(() => resolve(value), ms));
  const url = {
    fileURLToPath: (address) => decodeURIComponent(String(address.pathname ?? address).replace(/^file:\/\//, "")),
    pathToFileURL: (file) => ({
      href: `file://${path.resolve(file)}`,
      pathname: path.resolve(file),
      toString: () => `file://${path.resolve(file)}`,
    }),
  };

  const builtins = {
    assert,
    "assert/strict": assert,
    buffer: { Buffer: codecs.Buffer },
    console,
    events: EventEmitter,
    fs,
    "fs/promises": files.promises,
    module: { createRequire: (file) => requireFrom(String(file.pathname ?? file).replace(/^file:\/\//, "")) },
    os,
    path,
    "path/posix": path,
    perf_hooks: { performance: globalThis.performance },
    process,
    timers: timerFunctions,
    "timers/promises": { setTimeout: later, setImmediate: (value) => later(0, value) },
    url,
    util,
  };

  const isFile = (place) => {
    const text = host.stat(place);
    return text !== undefined && JSON.parse(text).kind === "file";
  };
  const isDirectory = (place) => {
    const text = host.stat(place);
    return text !== undefined && JSON.parse(text).kind === "directory";
  };
  const asFile = (place) => [place, `${place}.js`, `${place}.json`, `${place}.cjs`, `${place}.mjs`].find(isFile);
  const packageOf = (place) =>
    isFile(`${place}/package.json`) ? JSON.parse(fs.readFileSync(`${place}/package.json`, "utf8")) : undefined;
  const entryOf = (exported) =>
    typeof exported === "string" || exported === undefined
      ? exported
      : entryOf(exported["."] ?? exported.node ?? exported.require ?? exported.import ?? exported.default);
  const asDirectory = (place) => {
    const description = packageOf(place);
    const main = entryOf(description?.exports) ?? description?.main;
    return (
      (main === undefined ? undefined : (asFile(path.join(place, main)) ?? asFile(path.join(place, main, "index")))) ??
      asFile(`${place}/index`)
    );
  };
  const notFound = (wanted, from) => {
    const isPackage = !/^[./]/.test(wanted);
    const why = isPackage
      ? "\nThis is QuickJS, not Node: it has few of Node's modules and cannot install packages. The WebContainer host runs the real Node."
      : "";
    return Object.assign(new Error(`Cannot find module '${wanted}'\nRequire stack:\n- ${from}${why}`), {
      code: "MODULE_NOT_FOUND",
    });
  };
  const resolve = (wanted, from) => {
    const bare = wanted.replace(/^node:/, "");
    if (Object.hasOwn(builtins, bare) && !wanted.startsWith(".")) return `node:${bare}`;
    if (wanted.startsWith("file://")) return resolve(url.fileURLToPath(wanted), from);
    const directory = path.dirname(from);
    if (/^(\.{0,2}\/|\.{1,2}$)/.test(wanted)) {
      const place = path.resolve(directory, wanted);
      const found = asFile(place) ?? (isDirectory(place) ? asDirectory(place) : undefined);
      if (found !== undefined) return found;
      throw notFound(wanted, from);
    }
    for (let at = directory; !wanted.startsWith("node:"); at = path.dirname(at)) {
      const place = path.join(at, "node_modules", wanted);
      const found = asFile(place) ?? (isDirectory(place) ? asDirectory(place) : undefined);
      if (found !== undefined) return found;
      if (at === "/") break;
    }
    throw notFound(wanted, from);
  };

  const cache = {};
  const load = (place) => {
    if (place.startsWith("node:")) return builtins[place.slice(5)];
    if (cache[place] !== undefined) return cache[place].exports;
    const module = { id: place, filename: place, exports: {}, loaded: false, children: [], paths: [] };
    cache[place] = module;
    try {
      const text = fs.readFileSync(place, "utf8");
      if (place.endsWith(".json")) module.exports = JSON.parse(text);
      else if (isModule(place, text)) {
        throw new Error(`require() of the ES module ${place} is not supported here: import it, or use import()`);
      } else host.compile(text, place)(module.exports, requireFrom(place), module, place, path.dirname(place));
      module.loaded = true;
    } catch (error) {
      delete cache[place];
      throw error;
    }
    return module.exports;
  };
  const requireFrom = (from) =>
    Object.assign((wanted) => load(resolve(String(wanted), from)), {
      resolve: (wanted) => resolve(wanted, from),
      cache,
      main: undefined,
    });

  /** As Node tells an ES module: by its name, its package, and otherwise by how it is written. */
  const isModule = (place, text) => {
    if (place.endsWith(".mjs")) return true;
    if (place.endsWith(".cjs")) return false;
    for (let at = path.dirname(place); ; at = path.dirname(at)) {
      const description = packageOf(at);
      if (description?.type !== undefined) return description.type === "module";
      if (description !== undefined || at === "/") break;
    }
    return (
      /^\s*(import\s+([\w*{]|["'])|export\s+(default|const|let|var|function|async|class|\{|\*))/m.test(text) &&
      !/\brequire\(|\bmodule\.exports\b/.test(text)
    );
  };

  /** The source of an ES module by its place: what is no such module is wrapped in one. */
  const moduleSource = (place) => {
    if (!place.startsWith("node:") && !place.endsWith(".json")) {
      const text = fs.readFileSync(place, "utf8");
      if (isModule(place, text)) return text;
    }
    const held = load(place);
    const names =
      held !== null && (typeof held === "object" || typeof held === "function")
        ? Object.keys(held).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.has(name))
        : [];
    return `const m = __load(${JSON.stringify(place)});\nexport default m;\n${names.map((name) => `export const ${name} = m.${name};`).join("\n")}`;
  };
  const RESERVED = new Set(
    "default class function return if else for while do switch case break continue var let const new delete typeof in instanceof void this null true false import export super throw try catch finally with yield await enum static".split(
      " ",
    ),
  );
  Object.defineProperty(globalThis, "__load", { value: load, enumerable: false });

  return { loop, requireFrom, load, resolve, isModule, moduleSource, cache, builtins };
};
