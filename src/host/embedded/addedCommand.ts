import { defineCommand, type Command } from "just-bash/browser";
import { bytesFromLatin1, latin1FromBytes } from "./byteStrings";
import type { HostCommandDisk, HostCommandLoader } from "./hostCommand";

export interface AddedCommandOptions {
  readonly disk: HostCommandDisk;
  readonly hasNetwork: boolean;
  /** When the whole command line is ended, in ms since 1970. */
  readonly deadlineMs: number;
  /** Waits until all that was written is stored: what computes for long may be terminated. */
  readonly beforeRun: () => Promise<void>;
}

/** A command of the host's own for the shell's package, loaded when it is first run. */
export function addedCommand(name: string, loader: HostCommandLoader, options: AddedCommandOptions): Command {
  return defineCommand(name, async (args, { cwd, exportedEnv, stdin, signal }) => {
    try {
      const command = await loader.load();
      await options.beforeRun();
      const { stdout, stderr, exitCode } = await command.run(args, {
        cwd,
        env: exportedEnv ?? {},
        // A character each, whatever its type says.
        stdin: bytesFromLatin1(stdin as unknown as string),
        disk: options.disk,
        hasNetwork: options.hasNetwork,
        deadlineMs: options.deadlineMs,
        signal,
      });
      if (typeof stdout === "string") return { stdout, stderr, exitCode, stdoutKind: "text" };
      return { stdout: latin1FromBytes(stdout), stderr, exitCode, stdoutKind: "bytes", stdoutEncoding: "binary" };
    } catch (error) {
      return {
        stdout: "",
        stderr: `${name}: ${error instanceof Error ? error.message : String(error)}\n`,
        exitCode: 1,
      };
    }
  });
}
