import { getCommandNames } from "just-bash/browser";
import { HOST_ROOT } from "../host";
import type { HostCommandLoaders } from "./hostCommand";

/** What `help` tells: what there is, and what this is not. The package's own lists the builtins only, and cannot be replaced. */
export function helpText(loaders: HostCommandLoaders, hasNetwork: boolean): string {
  const builtIn = [...new Set([...getCommandNames(), "yes", ...(hasNetwork ? ["curl"] : [])])].toSorted();
  const added = Object.entries(loaders).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return [
    "This is a simulated bash in a browser tab: no processes, no installed programs, no background jobs after the command.",
    `The project is at ${HOST_ROOT} and is kept; what is written elsewhere (/tmp) lasts as long as the page.`,
    "Output is told when the command has ended. Each command begins in a fresh shell: variables and functions do not stay.",
    ...(hasNetwork ? ["curl asks as a web page does: servers must allow pages of other origins (CORS)."] : []),
    "",
    "Commands:",
    ...columns(builtIn),
    ...(added.length === 0 ? [] : ["", "Loaded when first used:", ...added]),
    "",
    "`COMMAND --help` tells the options of most.",
    "",
  ].join("\n");
}

function columns(names: readonly string[]): string[] {
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const perLine = Math.floor(90 / width);
  const lines: string[] = [];
  for (let at = 0; at < names.length; at += perLine) {
    const line = names.slice(at, at + perLine).map((name) => name.padEnd(width));
    lines.push(`  ${line.join("").trimEnd()}`);
  }
  return lines;
}
