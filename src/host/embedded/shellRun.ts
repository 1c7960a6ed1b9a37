import { Bash, InMemoryFs, type BashExecResult, type BashOptions } from "just-bash/browser";
import { limits } from "../../base";
import { HOST_ROOT, type ShellEnd } from "../host";
import { HOST_ENVIRONMENT } from "../hostEnvironment";
import { AGENT_IGNORE_FILE, spillPaths } from "../outputKeeper";
import { addedCommand } from "./addedCommand";
import { BashFileSystem } from "./bashFileSystem";
import { gzipCommands } from "./gzipCommand";
import { helpText } from "./helpText";
import type { HostCommandLoaders } from "./hostCommand";
import { hostCommandDisk } from "./hostCommandDisk";
import { isDiskFault } from "./hostDiskFault";
import type { ShellDisk } from "./shellDisk";
import { printfCommand } from "./printfCommand";
import { shellFetch } from "./shellFetch";
import type { ShellAnswer, ShellJob } from "./shellMessages";
import { keptOutput } from "./shellOutput";
import { yesCommand } from "./yesCommand";

export interface ShellPlace {
  readonly disk: ShellDisk;
  /** What lies outside the project. */
  readonly base: InMemoryFs;
  readonly loaders: HostCommandLoaders;
}

/** The tree outside the project, for as long as the worker lives. */
export function shellBase(): InMemoryFs {
  const base = new InMemoryFs();
  base.mkdirSync(HOST_ROOT, { recursive: true });
  base.mkdirSync("/tmp", { recursive: true });
  return base;
}

/** Runs one command line; all it wrote is stored when this resolves. `onEnded` is called before that. Never throws. */
export async function shellRun(
  place: ShellPlace,
  job: ShellJob,
  { signal, onEnded }: { readonly signal: AbortSignal; readonly onEnded: () => void },
): Promise<ShellAnswer> {
  const faults: Faults = new Map();
  const note = (error: unknown) => void (isDiskFault(error) && faults.set(error.message, error.words));
  const startedAt = performance.now();
  const ran = await executed(place, job, signal, note);
  const elapsedMs = performance.now() - startedAt;
  const isAborted = signal.aborted;
  onEnded();
  await place.disk.settle().catch(note);
  const end = endOf(ran, { isAborted, elapsedMs, timeoutMs: job.timeoutMs });
  const output = keptOutput(ran.stdout, withFaults(withEnd(ran.stderr, end, job.timeoutMs), faults));
  const answer = {
    stdout: output.stdout,
    stderr: output.stderr,
    exitCode: exitCodeOf(ran.exitCode, end, faults),
    end,
    modes: [...place.disk.modes],
  };
  if (!output.isTruncated) return answer;
  const spilled = await spill(place.disk, job, await output.whole());
  const stderr = spilled.problem === undefined ? answer.stderr : `${answer.stderr}bash: ${spilled.problem}\n`;
  const path = spilled.path === undefined ? {} : { path: spilled.path };
  return { ...answer, stderr, truncated: { totalBytes: output.totalBytes, ...path } };
}

type Ran = Pick<BashExecResult, "stdout" | "stderr" | "exitCode">;

async function executed(
  place: ShellPlace,
  job: ShellJob,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<Ran> {
  if (job.command.trim() === "help") return { stdout: helpText(place.loaders, !job.sandbox), stderr: "", exitCode: 0 };
  try {
    await place.disk.refresh();
    const fs = new BashFileSystem({ disk: place.disk, base: place.base, readOnly: job.readOnly, onError });
    if (!(await fs.exists(job.cwd)))
      return { stdout: "", stderr: `bash: cd: ${job.cwd}: No such file or directory\n`, exitCode: 1 };
    const bash = new Bash(bashOptions(place, job, fs));
    return await bash.exec(job.command, { rawScript: true, signal });
  } catch (error) {
    onError(error);
    return { stdout: "", stderr: `bash: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: 1 };
  }
}

function bashOptions({ disk, loaders }: ShellPlace, job: ShellJob, fs: BashFileSystem): BashOptions {
  const added = {
    disk: hostCommandDisk(fs, disk),
    hasNetwork: !job.sandbox,
    deadlineMs: Date.now() + job.timeoutMs,
    beforeRun: () => disk.settle(),
  };
  return {
    fs,
    cwd: job.cwd,
    env: { HOME: HOST_ROOT, USER: "user", ...HOST_ENVIRONMENT, ...job.env },
    // It would put its own timers in the place of those the disk needs.
    defenseInDepth: false,
    executionLimitProfile: job.sandbox ? "hardened" : "normal",
    executionLimits: { ...(job.sandbox ? {} : WIDE_LIMITS), maxExecutionTimeMs: job.timeoutMs },
    customCommands: [
      ...gzipCommands,
      printfCommand,
      yesCommand,
      ...Object.entries(loaders).map(([name, loader]) => addedCommand(name, loader, added)),
    ],
    ...(job.sandbox ? {} : { fetch: shellFetch }),
  };
}

/** Time ends a command, and memory; how many steps it takes is its own affair. */
const WIDE_LIMITS = {
  maxCommandCount: limits.shellSteps,
  maxLoopIterations: limits.shellSteps,
  maxAwkIterations: limits.shellSteps,
  maxSedIterations: limits.shellSteps,
  maxJqIterations: limits.shellSteps,
  maxQueryElements: limits.shellSteps,
  maxArrayElements: limits.shellSteps,
  maxWorkUnits: limits.shellSteps,
  maxStringLength: limits.shellTextBytes,
  maxOutputSize: limits.shellTextBytes,
};

function endOf(
  { exitCode, stderr }: Ran,
  how: { readonly isAborted: boolean; readonly elapsedMs: number; readonly timeoutMs: number },
): ShellEnd {
  if (how.isAborted) return "aborted";
  // The clocks of the package and of this are read one after the other. Some of its commands make a 126 of a deadline.
  if ((exitCode === 124 || exitCode === 126) && how.elapsedMs >= how.timeoutMs - 5) return "timeout";
  // The package names its bounds in words only.
  return exitCode === 126 && /exceeded|executionLimits/.test(stderr) ? "limit" : "exit";
}

/** What the package says of an end of its own making, which is the last it says. */
const ITS_END = /(?:bash: .* exceeded (?:its )?execution deadline.*|\w+: execution aborted|bash: .* aborted)\n$/;

function withEnd(stderr: string, end: ShellEnd, timeoutMs: number): string {
  if (end !== "timeout" && end !== "aborted") return stderr;
  const how = end === "timeout" ? `stopped after ${timeoutMs} ms, its timeout` : "stopped";
  return `${stderr.replace(ITS_END, "")}bash: ${how}; files it had written are kept\n`;
}

/** What the disk refused: whole messages, and the words in each. */
type Faults = Map<string, string>;

/** What the disk refused, in its own words, where the command did not pass them on. */
function withFaults(stderr: string, faults: Faults): string {
  const untold = [...faults].filter(([, words]) => !stderr.includes(words));
  return untold.reduce((text, [message]) => `${text}bash: ${message}\n`, stderr);
}

function exitCodeOf(exitCode: number, end: ShellEnd, faults: Faults): number {
  if (end === "aborted") return 130;
  if (end === "timeout") return 124;
  return exitCode === 0 && faults.size > 0 ? 1 : exitCode;
}

async function spill(
  disk: ShellDisk,
  job: ShellJob,
  bytes: Uint8Array,
): Promise<{ readonly path?: string; readonly problem?: string }> {
  if (job.readOnly) return {};
  const { onDisk, onHost } = spillPaths(job.outputId);
  try {
    await disk.makeDirectory(onDisk.slice(0, onDisk.lastIndexOf("/")), true);
    await disk.write(onDisk, bytes);
    const { path, text } = AGENT_IGNORE_FILE;
    if (disk.entry(path) === undefined) await disk.write(path, new TextEncoder().encode(text));
    await disk.settle();
    return { path: onHost };
  } catch (error) {
    return { problem: `the whole output could not be kept: ${error instanceof Error ? error.message : String(error)}` };
  }
}
