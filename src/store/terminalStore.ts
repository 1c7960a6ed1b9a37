import { createStore, type StoreApi } from "zustand/vanilla";
import { limits } from "../base";
import { diffTrees, joinFsPath, normalizeFsPath, type Change } from "../fs";
import { HOST_ROOT, type HostKind, type ShellChunk, type ShellEnd, type ShellResult } from "../host";
import { framePacer } from "./framePacer";
import { messageFromError } from "./messageFromError";
import type { WorkbenchCore } from "./workbenchCore";

export interface TerminalBlock {
  readonly id: string;
  readonly command: string;
  /** Where it was run. */
  readonly cwd: string;
  readonly isRunning: boolean;
  /** It waits for the host, or for a command before it. */
  readonly isWaiting: boolean;
  /** What it printed, in the order it came; its beginning is dropped where it was too long to hold. */
  readonly output: readonly ShellChunk[];
  readonly droppedCharacters: number;
  readonly exitCode?: number;
  readonly end?: ShellEnd;
  readonly durationMs?: number;
  /** Files that are others now. */
  readonly changes: readonly Change[];
  /** Where all of a long output is. */
  readonly savedAt?: string;
  /** Why it could not be run. */
  readonly problem?: string;
}

export interface TerminalState {
  readonly blocks: readonly TerminalBlock[];
  /** Where the next command runs. */
  readonly cwd: string;
  /** Commands that were run, the oldest first. */
  readonly history: readonly string[];
  readonly isRunning: boolean;
  /** Runs a command on the project's host as the person; one at a time. Never throws. */
  readonly run: (command: string) => Promise<void>;
  readonly stop: () => void;
  /** Forgets the blocks of commands that have ended. */
  readonly clear: () => void;
}

export type TerminalStore = StoreApi<TerminalState>;

/** Printed after a command by the shell itself, to know where it ended up. */
const CWD_MARK = "\u001E";

/** A person's commands on the project's host: the same disk and shell as an agent's there. */
export function createTerminalStore(core: Pick<WorkbenchCore, "services" | "mounts" | "host">): TerminalStore {
  let running: AbortController | undefined;
  let count = 0;
  return createStore<TerminalState>()((set, get) => {
    const patch = (id: string, next: Partial<TerminalBlock>) =>
      set({ blocks: get().blocks.map((block) => (block.id === id ? { ...block, ...next } : block)) });
    return {
      blocks: [],
      cwd: HOST_ROOT,
      history: [],
      isRunning: false,
      async run(command) {
        if (command.trim() === "" || running !== undefined) return;
        running = new AbortController();
        const id = `block_${count++}`;
        const { cwd, blocks, history } = get();
        const block = {
          id,
          command,
          cwd,
          isRunning: true,
          isWaiting: true,
          output: [],
          droppedCharacters: 0,
          changes: [],
        };
        set({
          isRunning: true,
          blocks: [...blocks, block].slice(-limits.terminalBlocks),
          history: [...history.filter((earlier) => earlier !== command), command].slice(-limits.terminalHistory),
        });
        const heard = new HeardOutput((output) => patch(id, output), core);
        try {
          const { result, changes, durationMs } = await ranAsPerson(core, command, {
            cwd,
            signal: running.signal,
            began: () => patch(id, { isWaiting: false }),
            heard: (chunk) => heard.add(chunk),
          });
          const { stdout, cwd: next } = withoutMark(result.stdout, changedDirectory(command, cwd, result.exitCode));
          const printed = [
            { stream: "stdout" as const, text: stdout },
            { stream: "stderr" as const, text: result.stderr },
          ].filter(({ text }) => text !== "");
          heard.end();
          patch(id, {
            isRunning: false,
            // The whole as the host kept it: what came while it ran may lack its middle.
            ...heldOutput(printed),
            exitCode: result.exitCode,
            end: result.end,
            durationMs,
            changes,
            ...(result.truncated?.path === undefined ? {} : { savedAt: result.truncated.path }),
          });
          set({ cwd: next });
        } catch (error) {
          heard.end();
          patch(id, { isRunning: false, problem: messageFromError(error) });
        } finally {
          running = undefined;
          set({ isRunning: false });
        }
      },
      stop: () => running?.abort(),
      clear: () => set({ blocks: get().blocks.filter(({ isRunning }) => isRunning) }),
    };
  });
}

interface RunPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly began: () => void;
  readonly heard: (chunk: ShellChunk) => void;
}

/** The command, and what it changed: told to open sessions as a person's edit of those files. @throws HostError */
async function ranAsPerson(
  { mounts, host, services }: Pick<WorkbenchCore, "services" | "mounts" | "host">,
  command: string,
  { cwd, signal, began, heard }: RunPlace,
): Promise<{ readonly result: ShellResult; readonly changes: readonly Change[]; readonly durationMs: number }> {
  const opened = await host();
  await opened.forSession();
  const snapshot = () => mounts.getState().table().hostOnly().tree().snapshot();
  let before = snapshot();
  const begunAt = services.clock();
  const result = await opened.shell(withMark(command, opened.state.getState().kind), {
    cwd,
    signal,
    onStart() {
      // What commands before this one did while it waited is not its doing.
      before = snapshot();
      began();
    },
    onOutput: heard,
  });
  const durationMs = Math.max(0, services.clock() - begunAt);
  const changes = diffTrees(await before, await snapshot());
  const paths = changes.map(({ path }) => path);
  if (paths.length > 0) await mounts.getState().asPerson("edit", paths, () => Promise.resolve());
  return { result, changes, durationMs };
}

/** The command with a word of where it ended up; the exit code stays its own. A new line ends a comment or here-document. */
function withMark(command: string, kind: HostKind): string {
  // The other one's shell knows no such things.
  return kind === "embedded" ? `${command}\n__code=$?; printf '${CWD_MARK}%s' "$PWD"; exit $__code` : command;
}

/** The output without the shell's own word of where it is; a command that ended the shell itself says none. */
function withoutMark(stdout: string, cwd: string): { readonly stdout: string; readonly cwd: string } {
  const at = stdout.lastIndexOf(CWD_MARK);
  if (at < 0) return { stdout, cwd };
  const said = stdout.slice(at + CWD_MARK.length).trim();
  return { stdout: stdout.slice(0, at), cwd: normalizeFsPath(said.startsWith("/") ? said : joinFsPath(cwd, said)) };
}

/** Where a lone `cd` leads, for a shell that does not say. */
function changedDirectory(command: string, cwd: string, exitCode: number): string {
  const to = /^\s*cd(?:\s+([^\s;&|<>"'$`*?]+))?\s*$/.exec(command);
  if (to === null || exitCode !== 0) return cwd;
  const [, path = HOST_ROOT] = to;
  return normalizeFsPath(path.startsWith("/") ? path : joinFsPath(cwd, path));
}

/** What is held of a command's output while it runs: shown a frame at a time, the beginning dropped past a limit. */
class HeardOutput {
  readonly #show: (output: Pick<TerminalBlock, "output" | "droppedCharacters">) => void;
  readonly #showSoon: () => void;
  #chunks: ShellChunk[] = [];
  #dropped = 0;
  #isEnded = false;

  constructor(
    show: (output: Pick<TerminalBlock, "output" | "droppedCharacters">) => void,
    { services }: Pick<WorkbenchCore, "services">,
  ) {
    this.#show = show;
    this.#showSoon = framePacer(
      (callback) => services.scheduleFrame(callback),
      async () => {
        if (!this.#isEnded) this.#publish();
      },
    );
  }

  add({ stream, text }: ShellChunk): void {
    const last = this.#chunks.at(-1);
    if (last?.stream === stream) this.#chunks[this.#chunks.length - 1] = { stream, text: last.text + text };
    else this.#chunks.push({ stream, text });
    const held = heldOutput(this.#chunks);
    this.#chunks = [...held.output];
    this.#dropped += held.droppedCharacters;
    this.#showSoon();
  }

  end(): void {
    this.#isEnded = true;
  }

  #publish(): void {
    const output = this.#chunks.map(({ stream, text }) => ({ stream, text: text.split(CWD_MARK)[0] ?? "" }));
    this.#show({ output, droppedCharacters: this.#dropped });
  }
}

/** The end of an output that is too long to hold. */
function heldOutput(chunks: readonly ShellChunk[]): Pick<TerminalBlock, "output" | "droppedCharacters"> {
  let over = chunks.reduce((sum, { text }) => sum + text.length, 0) - limits.terminalCharacters;
  if (over <= 0) return { output: chunks, droppedCharacters: 0 };
  const droppedCharacters = over;
  const output = chunks.flatMap(({ stream, text }) => {
    const cut = Math.min(over, text.length);
    over -= cut;
    return cut === text.length ? [] : [{ stream, text: text.slice(cut) }];
  });
  return { output, droppedCharacters };
}
