/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: `process`, events, timers and the console, put where scripts find them.
(host, { inspect, format }, codecs) => {
  const { cwd: startDirectory, argv, env } = JSON.parse(host.facts());

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

  const makeProcess = () => {
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
    Object.defineProperty(process, "listeners_", { enumerable: false });
    return process;
  };

  /** The timers there are, which comes next, and the functions that make them. */
  const makeTimers = () => {
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
    return { timers, next, timerFunctions };
  };

  const makeConsole = () => {
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
    return console;
  };

  const process = makeProcess();
  const console = makeConsole();
  const { timers, next, timerFunctions } = makeTimers();
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

  Object.assign(globalThis, timerFunctions, { console, process, Buffer: codecs.Buffer, global: globalThis });
  Object.assign(globalThis, {
    TextEncoder: codecs.TextEncoder,
    TextDecoder: codecs.TextDecoder,
    atob: codecs.atob,
    btoa: codecs.btoa,
  });
  globalThis.structuredClone ??= (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
  globalThis.queueMicrotask ??= (run) => void Promise.resolve().then(run);
  globalThis.performance ??= { now: () => host.now() };

  return { EventEmitter, process, console, timerFunctions, loop, env };
};
