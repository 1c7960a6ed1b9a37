import { limits } from "../../base";
import { HostError, type ShellEnd, type ShellOptions } from "../host";
import { HOST_ENVIRONMENT } from "../hostEnvironment";
import { OutputKeeper } from "../outputKeeper";
import type { ContainerSession, SessionProcess } from "./containerSession";
import { settledWithin } from "./settledWithin";

/** Exit codes of commands that did not end by themselves. */
const EXIT_CODES = { timeout: 124, aborted: 130, "host-lost": 137 } as const;

export interface CommandOutcome {
  readonly output: OutputKeeper;
  readonly exitCode: number;
  readonly end: ShellEnd;
  /** Whether the process went on although it was told to end. */
  readonly isDeaf: boolean;
}

interface CommandSettings extends Pick<ShellOptions, "env" | "timeoutMs" | "signal" | "onOutput"> {
  /** Absolute. */
  readonly cwd: string;
  /** Milliseconds a process gets to end when it is told to. */
  readonly killMs: number;
}

type Ending =
  | { readonly end: "exit"; readonly exitCode: number }
  | { readonly end: "timeout" | "aborted" | "host-lost" };

/**
 * Runs one command line in the container's shell and takes all it prints, whether anybody listens or not. A loss of the
 * container is an outcome with what was printed until then.
 * @throws what `spawn` throws, a loss excepted
 */
export async function containerCommand(
  session: ContainerSession,
  command: string,
  settings: CommandSettings,
): Promise<CommandOutcome> {
  const output = new OutputKeeper();
  const printed = outputTaker(output, settings.onOutput);
  const request = {
    args: ["-c", command],
    cwd: settings.cwd,
    env: { ...HOST_ENVIRONMENT, ...settings.env },
    onOutput: printed.take,
  };
  try {
    const process = await session.spawn("jsh", request);
    const ending = await endingOf(process, settings);
    if (ending.end === "exit") {
      await settledWithin(limits.hostOutputEndMs, printed.ended);
      return { output, ...ending, isDeaf: false };
    }
    const isLost = ending.end === "host-lost";
    if (!isLost) process.kill();
    const isDeaf = !isLost && !(await settledWithin(settings.killMs, process.exit));
    return { output, end: ending.end, exitCode: EXIT_CODES[ending.end], isDeaf };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { output, end: "host-lost", exitCode: EXIT_CODES["host-lost"], isDeaf: false };
  } finally {
    printed.close();
  }
}

/** Hands on what a process prints as bytes and as text, until it is closed: a deaf process prints on. */
function outputTaker(output: OutputKeeper, onOutput: ShellOptions["onOutput"]) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let isClosed = false;
  const tell = (text: string): void => {
    if (text !== "") onOutput?.({ stream: "stdout", text });
  };
  return {
    ended,
    take: (bytes: Uint8Array | undefined): void => {
      if (isClosed) return;
      if (bytes === undefined) {
        end();
        return;
      }
      output.push(bytes);
      tell(decoder.decode(bytes, { stream: true }));
    },
    close: (): void => {
      isClosed = true;
      tell(decoder.decode());
    },
  };
}

function endingOf(process: SessionProcess, { timeoutMs, signal }: CommandSettings): Promise<Ending> {
  return new Promise<Ending>((resolve) => {
    const milliseconds = timeoutMs ?? limits.shellTimeoutMs;
    // A timer takes 31 bits; what is meant to run on has none.
    const isBounded = milliseconds < limits.shellLongestTimeoutMs;
    const timer = isBounded ? setTimeout(() => settle({ end: "timeout" }), milliseconds) : undefined;
    const onAbort = (): void => settle({ end: "aborted" });
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(ending);
    };
    process.exit.then(
      (exitCode) => settle({ end: "exit", exitCode }),
      () => settle({ end: "host-lost" }),
    );
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
