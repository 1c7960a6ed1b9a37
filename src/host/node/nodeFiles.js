/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: Node's `fs` and `path` over the files the host hands in.
(host, { Buffer, exact }, process) => {
  const WORDS = {
    ENOENT: "no such file or directory",
    EEXIST: "file already exists",
    EISDIR: "illegal operation on a directory",
    ENOTDIR: "not a directory",
    ENOTEMPTY: "directory not empty",
    EROFS: "read-only file system",
  };
  const NUMBERS = { ENOENT: -2, EEXIST: -17, EISDIR: -21, ENOTDIR: -20, ENOTEMPTY: -39, EROFS: -30 };

  const failed = (code, syscall, path, dest) => {
    const error = new Error(
      `${code}: ${WORDS[code] ?? "failed"}, ${syscall} '${path}'${dest === undefined ? "" : ` -> '${dest}'`}`,
    );
    return Object.assign(
      error,
      { errno: NUMBERS[code] ?? -5, code, syscall, path },
      dest === undefined ? {} : { dest },
    );
  };

  const normalize = (path) => {
    const isAbsolute = path.startsWith("/");
    const parts = [];
    for (const part of path.split("/")) {
      if (part === "" || part === ".") continue;
      if (part !== "..") parts.push(part);
      else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
      else if (!isAbsolute) parts.push("..");
    }
    const text = parts.join("/");
    const tail = path.endsWith("/") && text !== "" ? "/" : "";
    return isAbsolute ? `/${text}${text === "" ? "" : tail}` : (text || ".") + tail;
  };
  const bare = (path) => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
  const resolve = (...parts) => {
    let path = "";
    for (const part of parts.toReversed()) {
      if (part === "") continue;
      path = path === "" ? part : `${part}/${path}`;
      if (path.startsWith("/")) break;
    }
    return bare(normalize(path.startsWith("/") ? path : `${process.cwd()}/${path}`));
  };
  const basename = (path, ending = "") => {
    const name = bare(path).slice(bare(path).lastIndexOf("/") + 1);
    return ending !== "" && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
  };
  const dirname = (path) => {
    const at = bare(path).lastIndexOf("/");
    return at === -1 ? "." : bare(path).slice(0, at) || "/";
  };
  const extname = (path) => {
    const name = basename(path);
    const at = name.lastIndexOf(".");
    return at <= 0 ? "" : name.slice(at);
  };
  const relative = (from, to) => {
    const [a, b] = [resolve(from).split("/").filter(Boolean), resolve(to).split("/").filter(Boolean)];
    let common = 0;
    while (common < a.length && a[common] === b[common]) common += 1;
    return [...a.slice(common).map(() => ".."), ...b.slice(common)].join("/");
  };
  const path = {
    sep: "/",
    delimiter: ":",
    normalize,
    resolve,
    basename,
    dirname,
    extname,
    relative,
    join: (...parts) => normalize(parts.filter((part) => part !== "").join("/") || "."),
    isAbsolute: (text) => text.startsWith("/"),
    parse: (text) => {
      const base = basename(text);
      const ext = extname(text);
      return {
        root: text.startsWith("/") ? "/" : "",
        dir: text.includes("/") ? dirname(text) : "",
        base,
        ext,
        name: ext === "" ? base : base.slice(0, -ext.length),
      };
    },
    format: ({ dir, root = "", base, name = "", ext = "" }) => `${dir ? `${dir}/` : root}${base ?? name + ext}`,
  };
  path.posix = path;

  const placeOf = (file) => {
    if (typeof file === "object" && file !== null && typeof file.pathname === "string")
      return decodeURIComponent(file.pathname);
    return resolve(Buffer.isBuffer(file) ? file.toString() : String(file));
  };

  const encodingOf = (options) => (typeof options === "string" ? options : options?.encoding);
  const bytesOf = (data, options) =>
    exact(
      typeof data === "string"
        ? Buffer.from(data, encodingOf(options) ?? "utf8")
        : ArrayBuffer.isView(data)
          ? data
          : Buffer.from(String(data)),
    );

  class Stats {
    constructor({ kind, size, modifiedAt, mode }) {
      this.kind_ = kind;
      Object.defineProperty(this, "kind_", { enumerable: false });
      Object.assign(this, {
        mode,
        size,
        mtimeMs: modifiedAt,
        mtime: new Date(modifiedAt),
        ctimeMs: modifiedAt,
        birthtimeMs: modifiedAt,
      });
    }
    isFile() {
      return this.kind_ === "file";
    }
    isDirectory() {
      return this.kind_ === "directory";
    }
    isSymbolicLink() {
      return false;
    }
  }
  class Dirent extends Stats {
    constructor(name, parentPath, stat) {
      super(stat);
      for (const key of Object.keys(this)) delete this[key];
      Object.assign(this, { name, parentPath, path: parentPath });
    }
  }

  const call = (syscall, file, run) => {
    const place = placeOf(file);
    const answer = run(place);
    if (typeof answer === "string" && /^E[A-Z]+$/.test(answer)) throw failed(answer, syscall, String(file));
    return answer;
  };
  const statOrNone = (file) => {
    const text = host.stat(placeOf(file));
    return text === undefined ? undefined : new Stats(JSON.parse(text));
  };
  const stat = (syscall) => (file, options) => {
    const found = statOrNone(file);
    if (found === undefined && options?.throwIfNoEntry !== false) throw failed("ENOENT", syscall, String(file));
    return found;
  };

  const readdirSync = (file, options) => {
    const names = JSON.parse(call("scandir", file, (place) => host.names(place)));
    const all = options?.recursive ? names.flatMap((name) => [name, ...below(file, name)]).toSorted() : names;
    if (!options?.withFileTypes) return all;
    return all.map(
      (name) =>
        new Dirent(
          basename(name),
          dirname(path.join(String(file), name)),
          JSON.parse(host.stat(path.join(placeOf(file), name))),
        ),
    );
  };
  const below = (file, name) => {
    const place = path.join(placeOf(file), name);
    if (JSON.parse(host.stat(place)).kind !== "directory") return [];
    return JSON.parse(host.names(place)).flatMap((inner) => [`${name}/${inner}`, ...below(file, `${name}/${inner}`)]);
  };

  const sync = {
    readFileSync(file, options) {
      const bytes =
        file === 0 || file === "/dev/stdin" ? host.stdin() : call("open", file, (place) => host.read(place));
      const encoding = encodingOf(options);
      return encoding && encoding !== "buffer" ? Buffer.from(bytes).toString(encoding) : Buffer.from(bytes);
    },
    writeFileSync(file, data, options) {
      if (options?.flag?.startsWith("a")) return sync.appendFileSync(file, data, options);
      if (file === 1 || file === 2)
        return host.write(file, typeof data === "string" ? data : host.decode(bytesOf(data)));
      return void call("open", file, (place) => host.writeFile(place, bytesOf(data, options), false));
    },
    appendFileSync: (file, data, options) =>
      void call("open", file, (place) => host.writeFile(place, bytesOf(data, options), true)),
    existsSync: (file) => statOrNone(file) !== undefined,
    accessSync: (file) => void stat("access")(file),
    statSync: stat("stat"),
    lstatSync: stat("lstat"),
    realpathSync: (file) => (stat("realpath")(file), placeOf(file)),
    readdirSync,
    mkdirSync: (file, options) => void call("mkdir", file, (place) => host.mkdir(place, options?.recursive === true)),
    rmdirSync: (file, options) =>
      void call("rmdir", file, (place) => host.rm(place, options?.recursive === true, false, "directory")),
    unlinkSync: (file) => void call("unlink", file, (place) => host.rm(place, false, false, "file")),
    rmSync: (file, options) =>
      void call("rm", file, (place) => host.rm(place, options?.recursive === true, options?.force === true, "")),
    renameSync(from, to) {
      const code = host.rename(placeOf(from), placeOf(to));
      if (code !== "") throw failed(code, "rename", String(from), String(to));
    },
    copyFileSync: (from, to) => sync.writeFileSync(to, sync.readFileSync(from)),
    cpSync(from, to, options) {
      if (!sync.statSync(from).isDirectory()) return sync.copyFileSync(from, to);
      if (!options?.recursive) throw failed("EISDIR", "cp", String(from));
      sync.mkdirSync(to, { recursive: true });
      for (const name of sync.readdirSync(from))
        sync.cpSync(path.join(String(from), name), path.join(String(to), name), options);
      return undefined;
    },
    mkdtempSync: (prefix) => {
      const place = prefix + Math.random().toString(36).slice(2, 8).padEnd(6, "x");
      sync.mkdirSync(place);
      return place;
    },
    chmodSync: () => undefined,
  };

  const promises = {};
  const callbacks = {};
  for (const [name, run] of Object.entries(sync)) {
    const short = name.replace(/Sync$/, "");
    if (short !== "exists") promises[short] = async (...args) => run(...args);
    callbacks[short] = (...args) => {
      const done = args.pop();
      let [error, value] = [null, undefined];
      try {
        value = run(...args);
      } catch (thrown) {
        error = thrown;
      }
      setTimeout(() => (short === "exists" ? done(value) : error === null ? done(null, value) : done(error)), 0);
    };
  }
  const constants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };
  return {
    path,
    fs: { ...sync, ...callbacks, promises, constants, Stats, Dirent },
    promises: { ...promises, constants },
  };
};
