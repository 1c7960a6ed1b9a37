import { parseArgs } from "node:util";
import { usageError } from "./commandError";
import type { BundledModules } from "./moduleLoader";
import type { Terminal } from "./terminal";

/** The program a command is part of. */
export interface Program {
  readonly version: string;
  readonly modules: BundledModules;
}

/** One option of a command. */
export interface CommandOption {
  /** What stands for its value in the help; a switch has none. */
  readonly value?: string;
  readonly many?: boolean;
  readonly help: string;
}

/** A command of the command line. */
export interface Command {
  readonly name: string;
  /** What follows its name, e.g. `FILE`. */
  readonly operands: readonly string[];
  readonly summary: string;
  /** What the help says after the options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Answers whether what was asked could be done. @throws CommandError and what the parts below it throw */
  run(given: GivenOptions, terminal: Terminal, program: Program): Promise<boolean>;
}

/** What was typed after a command's name, known to be legal. */
export class GivenOptions {
  readonly operands: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(operands: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.operands = operands;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  texts(name: string): readonly string[] {
    return (this.#values[name] as readonly string[] | undefined) ?? [];
  }

  /** The same options with a value where none was given. */
  or(name: string, text: string): GivenOptions {
    return this.has(name) ? this : new GivenOptions(this.operands, { ...this.#values, [name]: text });
  }

  /** @throws CommandError */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw usageError(`--${name} takes a whole number of 1 or more, not ${text}.`);
    return Number(text);
  }

  /** @throws CommandError */
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    if (text === undefined || (words as readonly string[]).includes(text)) return text as Word | undefined;
    throw usageError(`--${name} takes ${words.join(" or ")}, not ${text}.`);
  }
}

/** @throws CommandError for what the command does not take */
export function givenOptions(command: Command, args: readonly string[]): GivenOptions | "help" {
  const config = Object.fromEntries(
    Object.entries(command.options).map(([name, { value, many = false }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: many },
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...config, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
  } catch (error) {
    // Node explains at length how to pass what looks like an option; its first sentence says it.
    throw usageError(error instanceof Error ? (error.message.split(/(?<=\.) |\n/)[0] ?? error.message) : String(error));
  }
  const { help, ...values } = parsed.values;
  if (help === true) return "help";
  const { positionals } = parsed;
  const missing = command.operands[positionals.length];
  if (missing !== undefined) throw usageError(`${command.name} needs ${missing}.`);
  const extra = positionals[command.operands.length];
  if (extra !== undefined) throw usageError(`${command.name} does not take ${extra}.`);
  return new GivenOptions(positionals, values);
}
