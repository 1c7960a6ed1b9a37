import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { limits } from "../../base";
import type { HostCommandContext, HostCommandResult } from "../embedded/hostCommand";
import { HOST_ROOT } from "../host";
import { DiskImage } from "./diskImage";
import assertSource from "./nodeAssert.js?raw";
import bufferSource from "./nodeBuffer.js?raw";
import { newNodeEngine } from "./nodeEngine";
import filesSource from "./nodeFiles.js?raw";
import globalsSource from "./nodeGlobals.js?raw";
import { nodeHost, type NodeHostState } from "./nodeHost";
import inspectSource from "./nodeInspect.js?raw";
import modulesSource from "./nodeModules.js?raw";

/** A script: its text, and the file it is in or is thought to be in. */
export interface NodeScript {
  readonly source: string;
  readonly file: string;
  readonly argv: readonly string[];
  /** Print the value of the last expression, which is what `-p` does. */
  readonly printsValue: boolean;
}

/** How a run ended before its script did. */
const EXIT_AT_DEADLINE = 124;

/** Runs a script with its promises and timers to the end, and stores what it wrote. @throws NodeLiteError */
export async function runNodeScript(script: NodeScript, context: HostCommandContext): Promise<HostCommandResult> {
  const [engine, image] = await Promise.all([newNodeEngine(), DiskImage.of(context.disk)]);
  const run = new NodeRun(engine.newContext(), image, script, context);
  const exitCode = await run.toTheEnd();
  return { stdout: run.output.join(""), stderr: run.errors.join(""), exitCode };
}

class NodeRun {
  readonly output: string[] = [];
  readonly errors: string[] = [];
  private readonly vm: QuickJSContext;
  private readonly state: NodeHostState;
  private readonly script: NodeScript;
  private readonly library: QuickJSHandle;
  private readonly loop: QuickJSHandle;
  private readonly stopAtMs: number;
  /** The promises whose failure ends the run. */
  private readonly watched: QuickJSHandle[] = [];

  constructor(vm: QuickJSContext, image: DiskImage, script: NodeScript, context: HostCommandContext) {
    this.vm = vm;
    this.script = script;
    const write = (fd: number, text: string) => void (fd === 2 ? this.errors : this.output).push(text);
    this.state = { image, context, argv: script.argv, startedAt: performance.now(), exitCode: undefined, write };
    // A little before the shell's own end, so that what was said so far is told.
    this.stopAtMs = context.deadlineMs - limits.nodeStopBeforeMs;
    vm.runtime.setMemoryLimit(limits.nodeMemoryBytes);
    vm.runtime.setMaxStackSize(limits.nodeStackBytes);
    vm.runtime.setInterruptHandler(() => this.state.exitCode !== undefined || this.isLate());
    this.library = this.makeLibrary();
    this.loop = vm.getProp(this.library, "loop");
    vm.runtime.setModuleLoader(
      (place) => this.moduleSource(place),
      (base, wanted) => this.text("resolve", wanted, base),
    );
  }

  private isLate(): boolean {
    return Date.now() >= this.stopAtMs || this.state.context.signal?.aborted === true;
  }

  private makeLibrary(): QuickJSHandle {
    const host = nodeHost(this.vm, this.state);
    const part = (source: string) => this.vm.unwrapResult(this.vm.evalCode(source, "node:internal"));
    const made = (maker: QuickJSHandle, ...parts: readonly QuickJSHandle[]) =>
      this.vm.unwrapResult(this.vm.callFunction(maker, this.vm.undefined, host, ...parts));
    const codecs = made(part(bufferSource));
    const makers = [filesSource, globalsSource, assertSource].map(part);
    return made(part(modulesSource), part(inspectSource), codecs, ...makers);
  }

  /** Calls a function of the library that answers text. What it throws is thrown on, into the engine. */
  private text(name: string, ...args: string[]): string {
    return this.vm.getString(this.call(this.library, name, ...args));
  }

  private call(owner: QuickJSHandle, name: string, ...args: string[]): QuickJSHandle {
    const handles = args.map((arg) => this.vm.newString(arg));
    return this.vm.unwrapResult(this.vm.callFunction(this.vm.getProp(owner, name), this.vm.undefined, ...handles));
  }

  private moduleSource(place: string): string {
    return place === this.script.file ? this.watchedSource() : this.text("moduleSource", place);
  }

  /**
   * The engine does not tell of a promise that fails with nobody to hear. What a script calls last and at its margin, `main();`
   * or an async function on the spot, is what it hangs on: that one is kept and watched.
   */
  private watchedSource(): string {
    const source = this.script.source.replace(/^#!.*/, "");
    const call = /(?:^|\n)[A-Za-z_$][\w$.]*\([^\n]*\);?\s*$/.exec(source);
    const onTheSpot = /(?:^|\n);?\(async\b(?:(?!\n;?\(async\b)[\s\S])*\}\)\(\);?\s*$/.exec(source);
    const found = call ?? onTheSpot;
    if (found === null) return source;
    const head = source.slice(0, found.index);
    const [, lead = "", rest = ""] = /^(\n?);?([\s\S]*)$/.exec(found[0]) ?? [];
    return `${head}${lead}globalThis.__last = ${rest}`;
  }

  async toTheEnd(): Promise<number> {
    let exitCode = 0;
    try {
      this.start();
      await this.turn();
      if (this.state.exitCode === undefined) this.call(this.loop, "emitExit");
      exitCode = this.vm.getNumber(this.call(this.loop, "exitCode"));
    } catch (error) {
      exitCode = this.failed(error);
    }
    try {
      await this.state.image.store(this.state.context.disk);
    } catch (error) {
      this.errors.push(
        `node: what the script wrote could not be stored: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      return 1;
    }
    return this.state.exitCode ?? exitCode;
  }

  private start(): void {
    const { source, file, printsValue } = this.script;
    const { vm } = this;
    if (printsValue) {
      this.call(this.library, "load", "node:process");
      vm.setProp(
        vm.global,
        "require",
        vm.unwrapResult(vm.callFunction(vm.getProp(this.library, "requireFrom"), vm.undefined, vm.newString(file))),
      );
      const value = vm.unwrapResult(vm.evalCode(source, file));
      const shown =
        vm.typeof(value) === "string"
          ? value
          : vm.unwrapResult(vm.callFunction(vm.getProp(this.loop, "inspect"), vm.undefined, value));
      this.output.push(`${vm.getString(shown)}\n`);
      return;
    }
    const isModule = vm.dump(this.call(this.library, "isModule", file, source)) === true;
    if (isModule) this.watched.push(vm.unwrapResult(vm.evalCode(this.watchedSource(), file, { type: "module" })));
    else this.startCommon(file);
    const last = vm.getProp(vm.global, "__last");
    if (vm.typeof(last) === "object") this.watched.push(last);
  }

  private startCommon(file: string): void {
    const { vm } = this;
    const code = `(function (exports, require, module, __filename, __dirname) {${this.watchedSource()}\n})`;
    const compiled = vm.unwrapResult(vm.evalCode(code, file));
    const module = vm.newObject();
    const exported = vm.newObject();
    vm.setProp(module, "exports", exported);
    vm.setProp(module, "filename", vm.newString(file));
    const require = vm.unwrapResult(
      vm.callFunction(vm.getProp(this.library, "requireFrom"), vm.undefined, vm.newString(file)),
    );
    vm.setProp(require, "main", module);
    const directory = file.slice(0, file.lastIndexOf("/")) || HOST_ROOT;
    vm.unwrapResult(
      vm.callFunction(compiled, exported, exported, require, module, vm.newString(file), vm.newString(directory)),
    );
  }

  /** Runs promises and timers until none is left. */
  private async turn(): Promise<void> {
    for (;;) {
      this.runJobs();
      const delayMs = this.vm.getNumber(this.call(this.loop, "delay"));
      if (delayMs < 0 || this.state.exitCode !== undefined) return;
      if (delayMs > 0) {
        await this.state.image.store(this.state.context.disk);
        await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, Math.max(0, this.stopAtMs - Date.now()))));
        if (this.isLate()) throw new Error("interrupted");
        if (this.vm.getNumber(this.call(this.loop, "delay")) > 0) continue;
      }
      this.call(this.loop, "runNext");
    }
  }

  private runJobs(): void {
    while (this.vm.runtime.hasPendingJob()) {
      const ran = this.vm.runtime.executePendingJobs();
      if (ran.error !== undefined) this.vm.unwrapResult(ran);
    }
    for (const promise of this.watched) {
      const state = this.vm.getPromiseState(promise);
      if (state.type === "rejected") throw new RejectedValue(state.error);
    }
  }

  /** Tells what ended the run; answers the exit code. */
  private failed(error: unknown): number {
    if (this.state.exitCode !== undefined) return this.state.exitCode;
    if (this.isLate()) {
      this.errors.push("node: ended at its deadline\n");
      return EXIT_AT_DEADLINE;
    }
    this.errors.push(`${this.toldOf(error)}\n\nQuickJS (lite node)\n`);
    return 1;
  }

  private toldOf(error: unknown): string {
    if (error instanceof RejectedValue) {
      const told = this.vm.callFunction(this.vm.getProp(this.loop, "told"), this.vm.undefined, error.value);
      return told.error === undefined ? this.vm.getString(told.value) : "Uncaught (in promise)";
    }
    if (!(error instanceof Error)) return `Uncaught ${String(error)}`;
    const cause: unknown = error.cause;
    const found =
      typeof cause === "object" && cause !== null && "message" in cause ? (cause as ThrownValue) : undefined;
    if (found === undefined)
      return cause === undefined ? `${error.name}: ${error.message}` : `Uncaught ${JSON.stringify(cause)}`;
    const stack =
      found.stack
        ?.split("\n")
        .filter((line) => !line.includes("node:internal"))
        .join("\n")
        .trimEnd() ?? "";
    return `${found.name ?? "Error"}: ${found.message}${stack === "" ? "" : `\n${stack}`}`;
  }
}

interface ThrownValue {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
}

/** A value with which a promise of the script failed, still inside the engine. */
class RejectedValue extends Error {
  override readonly name = "RejectedValue";
  readonly code = "rejected";
  readonly value: QuickJSHandle;

  constructor(value: QuickJSHandle) {
    super("a promise of the script failed");
    this.value = value;
  }
}
