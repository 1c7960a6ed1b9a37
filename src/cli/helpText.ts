import type { Command } from "./command";

const CALLED = "npm run --silent agent --";

/** What `--help` prints, and a call without a command. */
export function programHelp(commands: readonly Command[], version: string): string {
  return [
    `Rootscope ${version}: agents on trees of files, from a command line.`,
    "",
    `Usage: ${CALLED} COMMAND [options]`,
    "",
    "Commands:",
    ...columns(commands.map(({ name, operands, summary }) => [[name, ...operands].join(" "), summary])),
    "",
    "Exit codes: 0 it is done, 1 what was asked failed, 2 wrong use. Results go to standard output, all else to standard error.",
    `Help for one command: ${CALLED} COMMAND --help`,
    "",
  ].join("\n");
}

/** What `COMMAND --help` prints. */
export function commandHelp({ name, operands, summary, details, options }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, help }]) => [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const,
  );
  return [
    summary,
    "",
    `Usage: ${CALLED} ${[name, ...operands].join(" ")} [options]`,
    "",
    "Options:",
    ...columns([...rows, ["--help", "prints this"]]),
    ...(details === undefined ? [] : ["", details]),
    "",
  ].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
