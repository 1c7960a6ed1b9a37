import type { FileSystemTree, WebContainer } from "@webcontainer/api";
import { HOST_ROOT, type HostError } from "../host";
import { words } from "./bootFailure";

export interface SessionProcess {
  readonly exit: Promise<number>;
  /** Asks the process to end; it may not. */
  kill(): void;
}

export interface SpawnSettings {
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Takes what is printed as it comes, `undefined` at its end. Must not throw. */
  readonly onOutput: (bytes: Uint8Array | undefined) => void;
}

/** The part of the client's inner container that `spawn` uses: not its public interface, so its version is exact. */
interface InnerContainer {
  run(settings: object, stdout: unknown, stderr: unknown, output: unknown): Promise<unknown>;
}

/**
 * A started container whose calls always settle: after a teardown, or when what runs in the frame is gone, the vendor's
 * never do, so each is raced with that.
 */
export class ContainerSession {
  readonly #container: WebContainer;
  readonly #waiting = new Set<(error: HostError) => void>();
  #end: HostError | undefined;

  constructor(container: WebContainer) {
    this.#container = container;
  }

  get container(): WebContainer {
    return this.#container;
  }

  /** The directory the container gave the project. */
  get workdir(): string {
    return this.#container.workdir;
  }

  /** Why no call can succeed any more. */
  get endedBy(): HostError | undefined {
    return this.#end;
  }

  /** Lets every pending and every later call fail with this. */
  end(error: HostError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }

  async spawn(command: string, settings: SpawnSettings): Promise<SessionProcess> {
    const process = await this.#raced(() => spawnedWithBytes(this.#container, command, settings));
    const exit = this.#raced(() => process.exit);
    // One that ignored its end is no longer waited for, and may yet be lost.
    exit.catch(() => undefined);
    return { exit, kill: () => process.kill() };
  }

  /** Adds the files of a binary snapshot; it is transferred, and empty afterwards. */
  mount(snapshot: Uint8Array): Promise<void> {
    return this.#raced(() => this.#container.mount(snapshot));
  }

  /** All below the project's directory but what matches `excludes`. */
  async export(excludes: readonly string[]): Promise<FileSystemTree> {
    const once = () => this.#raced(() => this.#container.export(".", { format: "json", excludes: [...excludes] }));
    try {
      return await once();
    } catch (error) {
      // A file went while it was looked at, by what runs in the background.
      if (this.#end === undefined && isMissing(error)) return once();
      throw error;
    }
  }

  writeFile(path: string, bytes: Uint8Array): Promise<void> {
    return this.#raced(() => this.#container.fs.writeFile(`.${path}`, bytes));
  }

  readFile(path: string): Promise<Uint8Array> {
    return this.#raced(() => this.#container.fs.readFile(`.${path}`));
  }

  async makeDirectory(path: string): Promise<void> {
    await this.#raced(() => this.#container.fs.mkdir(`.${path}`, { recursive: true }));
  }

  /** Removes what is there, if anything is. */
  remove(path: string): Promise<void> {
    return this.#raced(() => this.#container.fs.rm(`.${path}`, { recursive: true, force: true }));
  }

  /** Names in a directory; `undefined` when there is none. */
  async names(path: string): Promise<readonly string[] | undefined> {
    try {
      return await this.#raced(() => this.#container.fs.readdir(`.${path}`));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The call's answer, or the end of the session. */
  #raced<T>(call: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end);
        return;
      }
      this.#waiting.add(reject);
      call()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }
}

/** Errors of the container's disk carry their code in the text alone. */
function isMissing(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR)\b/.test(words(error));
}

/**
 * Spawns with the bytes of the output: the client decodes every chunk by itself, which breaks a character that two of them
 * share. Its own `spawn` runs on a view of it that swaps the listener of decoded text for one of bytes.
 */
function spawnedWithBytes(container: WebContainer, command: string, settings: SpawnSettings) {
  const inner = (container as unknown as { readonly _instance: InnerContainer })._instance;
  const listener = (chunk: unknown): void => settings.onOutput(chunk instanceof Uint8Array ? chunk : undefined);
  const run: InnerContainer["run"] = (request, stdout, stderr, output) =>
    // The listener keeps the mark by which the client knows what to call across the frame.
    inner.run(request, stdout, stderr, Object.assign(listener, output));
  const view = Object.create(container, { _instance: { value: { run } } }) as WebContainer;
  return view.spawn(command, [...settings.args], { cwd: relativeToRoot(settings.cwd), env: { ...settings.env } });
}

/** An absolute path as the client wants it: from the project's directory. */
function relativeToRoot(path: string): string {
  const up = HOST_ROOT.split("/").filter(Boolean);
  const down = path.split("/").filter(Boolean);
  let shared = 0;
  while (shared < up.length && up[shared] === down[shared]) shared += 1;
  return [...up.slice(shared).map(() => ".."), ...down.slice(shared)].join("/") || ".";
}
