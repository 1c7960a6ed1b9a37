/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: globals, timers and `require`, from the parts the other scripts make.
(host, { inspect, format }, codecs, makeFiles) => {
  const { cwd: startDirectory, argv, env } = JSON.parse(host.facts());
  const { Buffer } = codecs;

  const makeStream = (fd) => ({
    fd,
    isTTY: false,
    columns: 80,
    write(data, ...rest) {
      host.write(fd, typeof data === "string" ? data : host.decode(codecs.exact(data)));
      const done = rest.at(-1);
      if (typeof done === "function") setTimeout(done, 0);
      return true;
    },
    end(data) {
      if (data !== undefined) this.write(data);
    },
    on: () => undefined,
    once: () => undefined,
  });

  class EventEmitter {
    listeners_ = new Map();
    constructor() {
      Object.defineProperty(this, "listeners_", { enumerable: false });
    }
    on(name, run) {
      this.listeners_.set(name, [...(this.listeners_.get(name) ?? []), run]);
      return this;
    }
    addListener(name, run) {
      return this.on(name, run);
    }
    once(name, run) {
      const one = (...args) => {
        this.off(name, one);
        run.apply(this, args);
      };
      one.listener = run;
      return this.on(name, one);
    }
    off(name, run) {
      this.listeners_.set(
        name,
        (this.listeners_.get(name) ?? []).filter((one) => one !== run && one.listener !== run),
      );
      return this;
    }
    removeListener(name, run) {
      return this.off(name, run);
    }
    removeAllListeners(name) {
      if (name === undefined) this.listeners_.clear();
      else this.listeners_.delete(name);
      return this;
    }
    emit(name, ...args) {
      const all = this.listeners_.get(name) ?? [];
      if (all.length === 0 && name === "error") throw args[0];
      for (const run of all) run.apply(this, args);
      return all.length > 0;
    }
    listenerCount(name) {
      return (this.listeners_.get(name) ?? []).length;
    }
    listeners(name) {
      return [...(this.listeners_.get(name) ?? [])];
    }
  }
  EventEmitter.EventEmitter = EventEmitter;

  const process = Object.assign(new EventEmitter(), {
    argv,
    argv0: "node",
    env,
    execArgv: [],
    execPath: "/usr/bin/node",
    exitCode: undefined,
    pid: 1,
    platform: "linux",
    arch: "wasm32",
    title: "node",
    version: "v0.0.0-quickjs",
    versions: { quickjs: "2025-09-13" },
    release: { name: "quickjs" },
    stdout: makeStream(1),
    stderr: makeStream(2),
    stdin: { fd: 0, isTTY: false },
    cwd: () => startDirectory,
    exit(code = process.exitCode ?? 0) {
      if (process.exitCode === undefined || code !== undefined) process.exitCode = code;
      host.exit(Number(code) || 0);
      // The interrupt that ends the run comes with the next step, which must not be a script's.
      for (;;);
    },
    hrtime: Object.assign(() => [Math.floor(host.now() / 1000), Math.floor((host.now() % 1000) * 1e6)], {
      bigint: () => BigInt(Math.floor(host.now() * 1e6)),
    }),
    uptime: () => host.now() / 1000,
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0 }),
    nextTick: (run, ...args) => void Promise.resolve().then(() => run(...args)),
    emitWarning: (warning) => process.stderr.write(`(node) ${warning?.message ?? warning}\n`),
  });
  for (const name of ["listeners_"]) Object.defineProperty(process, name, { enumerable: false });

  const timers = new Map();
  let [nextTimer, order] = [1, 0];
  const schedule = (run, ms, args, every) => {
    const id = nextTimer;
    nextTimer += 1;
    timers.set(id, { run, args, at: host.now() + Math.max(1, Number(ms) || 1), every, order: (order += 1) });
    return {
      id,
      ref: () => undefined,
      unref: () => timers.delete(id),
      hasRef: () => true,
      [Symbol.toPrimitive]: () => id,
    };
  };
  const clear = (timer) => void timers.delete(typeof timer === "object" && timer !== null ? timer.id : timer);
  const next = () => [...timers].toSorted(([, a], [, b]) => a.at - b.at || a.order - b.order)[0];
  const timerFunctions = {
    setTimeout: (run, ms, ...args) => schedule(run, ms, args),
    setInterval: (run, ms, ...args) => schedule(run, ms, args, Math.max(1, Number(ms) || 1)),
    setImmediate: (run, ...args) => schedule(run, 0, args),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
  const loop = {
    /** Milliseconds until the next timer; -1 without one. */
    delay: () => (timers.size === 0 ? -1 : Math.max(0, next()[1].at - host.now())),
    runNext() {
      const [id, timer] = next();
      if (timer.every === undefined) timers.delete(id);
      else timer.at = host.now() + timer.every;
      timer.run(...timer.args);
    },
    exitCode: () => Number(process.exitCode ?? 0) || 0,
    /** What is shown of a value nobody caught. */
    told: (error) => (error instanceof Error ? inspect(error) : `Uncaught ${inspect(error)}`),
    emitExit: () => void process.emit("exit", Number(process.exitCode ?? 0) || 0),
    inspect: (value) => inspect(value),
  };

  const counts = new Map();
  let indent = "";
  const say =
    (fd) =>
    (...values) =>
      host.write(fd, `${indent}${format(...values).replaceAll("\n", `\n${indent}`)}\n`);
  const started = new Map();
  const elapsed = (label) => `${label}: ${(host.now() - (started.get(label) ?? host.now())).toFixed(3)}ms`;
  const console = {
    log: say(1),
    info: say(1),
    debug: say(1),
    error: say(2),
    warn: say(2),
    dir: (value, options) => host.write(1, `${inspect(value, options)}\n`),
    trace: (...values) => host.write(2, `Trace: ${format(...values)}\n${new Error("trace").stack}`),
    assert: (holds, ...values) => {
      if (!holds) host.write(2, `Assertion failed${values.length > 0 ? `: ${format(...values)}` : ""}\n`);
    },
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      host.write(1, `${label}: ${counts.get(label)}\n`);
    },
    time: (label = "default") => void started.set(label, host.now()),
    timeEnd: (label = "default") => host.write(1, `${elapsed(label)}\n`),
    timeLog: (label = "default") => host.write(1, `${elapsed(label)}\n`),
    group: (...values) => {
      if (values.length > 0) console.log(...values);
      indent += "  ";
    },
    groupEnd: () => {
      indent = indent.slice(2);
    },
    table: (rows) => console.log(rows),
  };

  Object.assign(globalThis, timerFunctions, { console, process, Buffer, global: globalThis });
  Object.assign(globalThis, {
    TextEncoder: codecs.TextEncoder,
    TextDecoder: codecs.TextDecoder,
    atob: codecs.atob,
    btoa: codecs.btoa,
  });
  globalThis.structuredClone ??= (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
  globalThis.queueMicrotask ??= (run) => void Promise.resolve().then(run);
  globalThis.performance ??= { now: () => host.now() };

  const files = makeFiles(host, codecs, process);
  const { fs, path } = files;

  const sameValue = (a, b) => inspect(a, { depth: null }) === inspect(b, { depth: null });
  class AssertionError extends Error {
    name = "AssertionError";
    code = "ERR_ASSERTION";
  }
  const check = (holds, message, text) => {
    if (holds) return;
    if (message instanceof Error) throw message;
    throw new AssertionError(message ?? text);
  };
  const both = (a, word, b) => `Expected values to be ${word}:\n\n${inspect(a)} !== ${inspect(b)}\n`;
  const equalities = {
    strictEqual: (a, b, message) => check(Object.is(a, b), message, both(a, "strictly equal", b)),
    notStrictEqual: (a, b, message) =>
      check(!Object.is(a, b), message, 'Expected "actual" to be strictly unequal to "expected"'),
    deepStrictEqual: (a, b, message) => check(sameValue(a, b), message, both(a, "strictly deep-equal", b)),
    notDeepStrictEqual: (a, b, message) =>
      check(!sameValue(a, b), message, 'Expected "actual" not to be strictly deep-equal to "expected"'),
  };
  const thrown = (run) => {
    try {
      run();
      return undefined;
    } catch (error) {
      return { error };
    }
  };
  const matches = (error, wanted) => {
    if (wanted === undefined) return true;
    if (wanted instanceof RegExp) return wanted.test(String(error));
    if (typeof wanted === "function")
      return wanted.prototype !== undefined && error instanceof wanted
        ? true
        : !Error.isPrototypeOf(wanted) && wanted(error) === true;
    return Object.entries(wanted).every(([key, value]) =>
      value instanceof RegExp ? value.test(error[key]) : sameValue(error[key], value),
    );
  };
  const assert = Object.assign((value, message) => check(value, message, "The expression evaluated to a falsy value"), {
    ok: (value, message) => check(value, message, "The expression evaluated to a falsy value"),
    ...equalities,
    equal: (a, b, message) => check(a == b, message, `${inspect(a)} == ${inspect(b)}`), // oxlint-disable-line eqeqeq -- what Node's does
    notEqual: (a, b, message) => check(a != b, message, `${inspect(a)} != ${inspect(b)}`), // oxlint-disable-line eqeqeq -- what Node's does
    deepEqual: equalities.deepStrictEqual,
    notDeepEqual: equalities.notDeepStrictEqual,
    match: (text, pattern, message) =>
      check(
        pattern.test(text),
        message,
        `The input did not match the regular expression ${pattern}. Input:\n\n${inspect(text)}\n`,
      ),
    fail: (message) => check(false, message, "Failed"),
    throws: (run, wanted, message) => {
      const found = thrown(run);
      check(found !== undefined, typeof wanted === "string" ? wanted : message, "Missing expected exception.");
      if (found !== undefined && typeof wanted !== "string" && !matches(found.error, wanted)) throw found.error;
    },
    doesNotThrow: (run) => void run(),
    rejects: async (promise, wanted, message) => {
      let found;
      try {
        await (typeof promise === "function" ? promise() : promise);
      } catch (error) {
        found = { error };
      }
      check(found !== undefined, message, "Missing expected rejection.");
      if (found !== undefined && !matches(found.error, wanted)) throw found.error;
    },
    AssertionError,
  });
  assert.strict = assert;

  const util = {
    inspect,
    format,
    promisify:
      (run) =>
      (...args) =>
        new Promise((resolve, reject) => run(...args, (error, value) => (error ? reject(error) : resolve(value)))),
    isDeepStrictEqual: sameValue,
    types: {
      isPromise: (value) => value instanceof Promise,
      isDate: (value) => value instanceof Date,
      isRegExp: (value) => value instanceof RegExp,
    },
    inherits: (child, parent) => void Object.setPrototypeOf(child.prototype, parent.prototype),
    deprecate: (run) => run,
    TextEncoder: codecs.TextEncoder,
    TextDecoder: codecs.TextDecoder,
  };
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
    buffer: { Buffer },
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
