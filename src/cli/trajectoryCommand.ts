import { resolve } from "node:path";
import type { Command } from "./command";
import { jsonOption } from "./commandOptions";
import { jsonText } from "./jsonText";
import { openTrajectory } from "./openTrajectory";
import { trajectorySummary, type TrajectorySummary } from "./trajectorySummary";

export const trajectoryCommand: Command = {
  name: "trajectory",
  operands: ["FILE"],
  summary: "Says what a saved session or project holds: its turns, calls, usage, and what of it was lost.",
  options: { json: jsonOption },
  async run(given, terminal) {
    const [file = ""] = given.operands;
    const summary = trajectorySummary(await openTrajectory(resolve(terminal.cwd, file)));
    await terminal.write(given.has("json") ? jsonText(summary) : summaryText(summary));
    return true;
  },
};

function summaryText(summary: TrajectorySummary): string {
  const { format, version, sessions, turns, steps, toolCalls, toolResults, failed, usage, warnings, fidelity } =
    summary;
  const figures = Object.entries(usage).map(([name, value]) => `${name} ${value}`);
  const told = Object.entries(fidelity).map(([name, value]) => `${name} ${value}`);
  const lines = [
    `format      ${format} ${version}`,
    `sessions    ${sessions}`,
    `turns       ${turns}`,
    `steps       ${steps}`,
    `tool calls  ${toolCalls}, ${toolResults} with results, ${failed} of them failed`,
    `usage       ${figures.length === 0 ? "not reported" : figures.join(", ")}`,
    `fidelity    ${told.join(", ")}`,
    ...warnings.map(({ message }) => `warning: ${message}`),
  ];
  return `${lines.join("\n")}\n`;
}
