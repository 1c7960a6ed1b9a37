import * as Comlink from "comlink";
import { Bash, InMemoryFs } from "just-bash/browser";
import { treeFromSnapshot, type InternalTree } from "./snapshotReader.suite";

/**
 * A page that speaks with the vendor's client as its own server's frame does, for tests without a network: a simulated bash
 * over memory in place of Node. It shows that the client's side works, not that WebContainer does.
 */

/** What a test tells the frame by the page's global `frameBehaviour`. */
export interface FrameBehaviour {
  /** Loads and says nothing, as an error page does. */
  readonly isSilent?: boolean;
  /** Speaks, and starts no container until this is taken back. */
  readonly neverStarts?: boolean;
  /** Lets commands that are `held` or run in the `background` wait until this is taken back. */
  readonly isHeld?: boolean;
  /** Exports files that are no text as if they were. */
  readonly isLossy?: boolean;
  /** Speaks, and refuses to start one, in these words. */
  readonly refusal?: string;
}

/** What of the frame and the page around it is used; typed here because this folder is built without a DOM. */
interface FramePage {
  readonly location: { reload(): void };
  readonly parent: {
    readonly frameBehaviour?: FrameBehaviour;
    postMessage(message: object, origin: string, ports: readonly MessagePort[]): void;
  };
}

const page = globalThis as unknown as FramePage;
const WORKDIR = "/home/project";
const EXIT_KILLED = 143;
const LOOK_MS = 20;
const encoder = new TextEncoder();

type Output = (chunk: Uint8Array | null) => void;
type PortListener = (port: number, type: "open" | "close", url: string) => void;
type ReadyListener = (port: number, url: string) => void;

interface RunRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Memory that refuses what Node's disk refuses. */
class StrictFs extends InMemoryFs {
  override async writeFile(...given: Parameters<InMemoryFs["writeFile"]>): Promise<void> {
    if (await this.#mayWrite(given[0])) await super.writeFile(...given);
  }

  override async appendFile(...given: Parameters<InMemoryFs["appendFile"]>): Promise<void> {
    if (await this.#mayWrite(given[0])) await super.appendFile(...given);
  }

  async #mayWrite(path: string): Promise<boolean> {
    if (path === "/dev/null") return false;
    if (await this.exists(path.slice(0, path.lastIndexOf("/")) || "/")) return true;
    throw new Error(`ENOENT: no such file or directory, open '${path}'`);
  }
}

class Container {
  readonly #files = new StrictFs({ [`${WORKDIR}/.keep`]: "" });
  readonly #portListeners = new Set<PortListener>();
  readonly #readyListeners = new Set<ReadyListener>();
  #ready: Promise<unknown> = this.#files.rm(`${WORKDIR}/.keep`);

  async run(request: RunRequest, _stdout: unknown, _stderr: unknown, output: Output): Promise<unknown> {
    await this.#ready;
    const line = request.args[1] ?? "";
    const [first, what = "", ...rest] = line.split(" ");
    const stop = new AbortController();
    const process =
      first === "protocol"
        ? this.#staged(what, rest.join(" "), output, stop.signal)
        : this.#bash(request, output, stop.signal);
    return Comlink.proxy({
      onExit: process,
      // One that is deaf goes on whatever it is told.
      kill: () => what === "deaf" || stop.abort(),
      write: () => undefined,
      resize: () => undefined,
    });
  }

  async loadFiles(payload: Uint8Array): Promise<void> {
    await this.#ready;
    await this.#add(treeFromSnapshot(payload), WORKDIR);
  }

  /** The client's JSON form; anything that would not survive as text is told byte by byte. */
  async serialize(_path: string, options: { readonly excludes?: readonly string[] }): Promise<Uint8Array> {
    await this.#ready;
    const names = new Set((options.excludes ?? []).filter((pattern) => !/[*/]/.test(pattern)));
    return encoder.encode(JSON.stringify(await this.#tree(WORKDIR, names)));
  }

  fs(): unknown {
    const at = (path: string): string => this.#files.resolvePath(WORKDIR, path);
    return Comlink.proxy({
      readFile: async (path: string, encoding?: string) =>
        encoding ? this.#files.readFile(at(path)) : this.#files.readFileBuffer(at(path)),
      writeFile: (path: string, data: string | Uint8Array) => this.#files.writeFile(at(path), data),
      mkdir: (path: string, settings?: { readonly recursive?: boolean }) => this.#files.mkdir(at(path), settings),
      readdir: (path: string) => this.#files.readdir(at(path)),
      rm: (path: string, settings?: { readonly recursive?: boolean; readonly force?: boolean }) =>
        this.#files.rm(at(path), settings),
    });
  }

  previewScript(): undefined {
    return undefined;
  }

  runtimeInfo(): { readonly path: string; readonly cwd: string } {
    return { path: "/bin", cwd: WORKDIR };
  }

  on(event: string, listener: unknown): unknown {
    if (event === "port") this.#portListeners.add(listener as PortListener);
    if (event === "server-ready") this.#readyListeners.add(listener as ReadyListener);
    return Comlink.proxy(() => undefined);
  }

  teardown(): void {
    this.#portListeners.clear();
    this.#readyListeners.clear();
  }

  async #bash({ args, cwd, env }: RunRequest, output: Output, signal: AbortSignal): Promise<number> {
    const killed = new Promise<number>((resolve) => signal.addEventListener("abort", () => resolve(EXIT_KILLED)));
    const bash = new Bash({ fs: this.#files, cwd: this.#files.resolvePath(WORKDIR, cwd ?? "."), env: { ...env } });
    const ran = bash.exec(args[1] ?? "", { signal }).then(({ stdout, stderr, exitCode }) => {
      if (!signal.aborted && stdout + stderr !== "") output(encoder.encode(stdout + stderr));
      return exitCode;
    });
    ran.catch(() => undefined);
    const exitCode = await Promise.race([ran, killed]);
    output(null);
    return exitCode;
  }

  /** What the simulated bash cannot do, each by a name. */
  async #staged(what: string, rest: string, output: Output, signal: AbortSignal): Promise<number> {
    switch (what) {
      case "split":
        // The four bytes of one character, one at a time, and two characters that share a chunk.
        for (const byte of encoder.encode("🌱é")) output(Uint8Array.of(byte));
        break;
      case "flood":
        await this.#flood(Number(rest), output);
        break;
      case "serve":
        for (const tell of this.#portListeners) tell(Number(rest), "open", `${location.origin}/headless-${rest}`);
        for (const tell of this.#readyListeners) tell(Number(rest), `${location.origin}/headless-${rest}`);
        break;
      case "unserve":
        for (const tell of this.#portListeners) tell(Number(rest), "close", "");
        break;
      case "held":
        output(encoder.encode("held\n"));
        await released();
        return this.#bash({ command: "jsh", args: ["-c", rest] }, output, signal);
      case "background":
        void released().then(() => this.#bash({ command: "jsh", args: ["-c", rest] }, () => undefined, signal));
        break;
      case "deaf":
        output(encoder.encode("working\n"));
        await new Promise(() => undefined);
        break;
      case "reload":
        page.location.reload();
        await new Promise(() => undefined);
        break;
      default:
        output(encoder.encode("waiting\n"));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }
    output(null);
    return 0;
  }

  async #flood(bytes: number, output: Output): Promise<void> {
    const line = encoder.encode(`${"0123456789abcdef".repeat(4_096)}\n`);
    for (let printed = 0; printed < bytes; printed += line.length) {
      output(line.slice(0, bytes - printed));
      if (printed % (line.length * 16) === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  async #add(tree: InternalTree, path: string): Promise<void> {
    if ("f" in tree) return this.#files.writeFile(path, tree.f.c);
    await this.#files.mkdir(path, { recursive: true });
    for (const [name, child] of Object.entries(tree.d)) await this.#add(child, `${path}/${name}`);
  }

  async #tree(path: string, leftOut: ReadonlySet<string>): Promise<unknown> {
    const children: Record<string, unknown> = {};
    for (const name of await this.#files.readdir(path)) {
      const at = `${path}/${name}`;
      if (leftOut.has(name)) continue;
      const isDirectory = (await this.#files.stat(at)).isDirectory;
      children[name] = isDirectory ? await this.#tree(at, leftOut) : { f: await this.#file(at) };
    }
    return { d: children };
  }

  async #file(path: string): Promise<{ c: string; b?: true }> {
    const bytes = await this.#files.readFileBuffer(path);
    if (behaviour().isLossy) return { c: new TextDecoder().decode(bytes) };
    try {
      return { c: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
    } catch {
      return { c: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""), b: true };
    }
  }
}

/** Resolves once the test lets go on. */
async function released(): Promise<void> {
  while (behaviour().isHeld) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function behaviour(): FrameBehaviour {
  try {
    return page.parent.frameBehaviour ?? {};
  } catch {
    // A page of another origin keeps its globals to itself.
    return {};
  }
}
if (!behaviour().isSilent) {
  const { port1, port2 } = new MessageChannel();
  const server = {
    build: async () => {
      const { refusal } = behaviour();
      if (refusal !== undefined) throw new Error(refusal);
      while (behaviour().neverStarts) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      return Comlink.proxy(new Container());
    },
  };
  Comlink.expose(server, port1);
  page.parent.postMessage({ type: "init" }, "*", [port2]);
}
