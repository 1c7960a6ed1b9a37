import { limits, systemClock, type Clock } from "../base";
import type { Host, ShellChunk, ShellEnd, ShellResult } from "../host";
import { shellShape } from "./harnessShapes";
import { toolFromShape } from "./nativeDefinition";
import { throwIfStopped } from "./stopping";
import type { Tool } from "./tool";
import type { ShellOutput } from "./toolOutputs";

export interface ShellToolOptions {
  /** Runs a command; it may have to make the host ready first. */
  readonly shell: Host["shell"];
  /** Where a command runs that names no directory, and where a relative one begins: absolute, on the host. */
  readonly cwd: string;
  /** Where the host's disk stands among the mounts. */
  readonly mount: string;
  /** Hardened limits, no network commands. */
  readonly sandbox?: boolean;
  /** Measures how long a command takes; the system's clock when left out. */
  readonly clock?: Clock;
}

/**
 * `Shell`: a command on the disk of the file tools (docs/tools.md, section 12). A command that fails or takes too long is
 * a value; its errors are those of a host that cannot run any.
 */
export function shellTool({ shell, cwd, mount, sandbox = false, clock = systemClock }: ShellToolOptions): Tool {
  return toolFromShape(shellShape, async (input, call) => {
    const { command, workingDirectory, timeout } = input as unknown as ShellInput;
    const directory = directoryOf(workingDirectory ?? "", cwd);
    call.served?.({ mount, path: directory, verb: "shell" });
    const begunAt = clock();
    const heard = new OutputSoFar((output) => call.report(output), clock);
    const result = await shell(command, {
      cwd: directory,
      signal: call.signal,
      onOutput: (chunk) => heard.add(chunk),
      ...(typeof timeout === "number" ? { timeoutMs: timeout } : {}),
      ...(sandbox ? { sandbox } : {}),
    });
    throwIfStopped(call.signal);
    return outputFrom(result, Math.max(0, clock() - begunAt));
  });
}

interface ShellInput {
  readonly command: string;
  readonly workingDirectory?: string | null;
  readonly timeout?: number | null;
}

function directoryOf(path: string, cwd: string): string {
  return path.startsWith("/") ? path : path === "" ? cwd : `${cwd}/${path}`;
}

/** What ended a command that did not end by itself, as the system it stands for would name it. */
const SIGNALS: Readonly<Partial<Record<ShellEnd, string>>> = {
  timeout: "SIGKILL",
  aborted: "SIGINT",
  killed: "SIGKILL",
  "host-lost": "SIGKILL",
};

function outputFrom({ stdout, stderr, exitCode, end, truncated }: ShellResult, executionTime: number): ShellOutput {
  return {
    exitCode,
    signal: SIGNALS[end] ?? null,
    stdout,
    stderr,
    executionTime,
    ...(end === "exit" ? {} : { end }),
    ...(truncated === undefined ? {} : { truncated: { ...truncated } }),
  };
}

/** The end of what a command has printed so far, told now and then: each word of it is an event of the log. */
class OutputSoFar {
  readonly #tell: (output: { readonly stdout: string; readonly stderr: string }) => void;
  readonly #clock: Clock;
  #stdout = "";
  #stderr = "";
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(tell: (output: { readonly stdout: string; readonly stderr: string }) => void, clock: Clock) {
    this.#tell = tell;
    this.#clock = clock;
  }

  add({ stream, text }: ShellChunk): void {
    if (stream === "stdout") this.#stdout = lastCharacters(this.#stdout + text);
    else this.#stderr = lastCharacters(this.#stderr + text);
    const now = this.#clock();
    if (now - this.#toldAt < limits.shellReportMs) return;
    this.#toldAt = now;
    this.#tell({ stdout: this.#stdout, stderr: this.#stderr });
  }
}

function lastCharacters(text: string): string {
  if (text.length <= limits.shellReportCharacters) return text;
  const cut = text.slice(-limits.shellReportCharacters);
  // A pair of which one half is gone is no character.
  return /^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut;
}
