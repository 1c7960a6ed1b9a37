import { callCommand } from "./callCommand";
import { givenOptions, type Command, type Program } from "./command";
import { CommandError, errorText, usageError } from "./commandError";
import { commandHelp, programHelp } from "./helpText";
import { infoCommand } from "./infoCommand";
import { nodeTerminal, STOPPED_EXIT_CODE } from "./nodeTerminal";
import { runCommand } from "./runCommand";
import type { Terminal } from "./terminal";
import { trajectoryCommand } from "./trajectoryCommand";
import { validateCommand } from "./validateCommand";

const COMMANDS: readonly Command[] = [validateCommand, infoCommand, callCommand, runCommand, trajectoryCommand];

/** Runs what was typed in this process and ends it once all output has left it. Never rejects. */
export async function runInNode(program: Program): Promise<void> {
  const terminal = nodeTerminal();
  const code = await commandLine(program, process.argv.slice(2), terminal);
  await terminal.flushed();
  // What a tool of an author's left running does not keep the program alive.
  process.exit(terminal.wasStopped() ? STOPPED_EXIT_CODE : code);
}

/** Runs one command. Answers the exit code: 0 done, 1 what was asked failed, 2 wrong use. Never rejects. */
export async function commandLine(program: Program, args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((each) => each.name === name);
  try {
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      const isAsked = name !== undefined;
      if (isAsked) await terminal.write(programHelp(COMMANDS, program.version));
      else terminal.note(programHelp(COMMANDS, program.version));
      return isAsked ? 0 : 2;
    }
    if (name === "--version") {
      await terminal.write(`${program.version}\n`);
      return 0;
    }
    if (command === undefined) throw usageError(`There is no command ${name}.`);
    const given = givenOptions(command, rest);
    if (given === "help") {
      await terminal.write(commandHelp(command));
      return 0;
    }
    return (await command.run(given, terminal, program)) ? 0 : 1;
  } catch (error) {
    return complain(error, command, rest.includes("--json"), terminal);
  }
}

/** Says what went wrong and how to go on; with `--json` as one line of JSON. */
function complain(error: unknown, command: Command | undefined, asJson: boolean, terminal: Terminal): number {
  if (terminal.signal.aborted) return 0;
  const isUsage = error instanceof CommandError && error.code === "usage";
  const message = errorText(error);
  if (asJson) terminal.note(`${JSON.stringify({ error: { code: codeOf(error), message } })}\n`);
  else terminal.note(`${message}\n`);
  if (isUsage && !asJson) {
    terminal.note(
      `How it is used: npm run --silent agent -- ${command === undefined ? "" : `${command.name} `}--help\n`,
    );
  }
  return isUsage ? 2 : 1;
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "failed";
}
