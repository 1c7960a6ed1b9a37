import { resolve } from "node:path";
import type { Command } from "./command";
import { jsonOption } from "./commandOptions";
import { jsonText } from "./jsonText";
import { openTrajectory } from "./openTrajectory";
import { trajectorySummary } from "./trajectorySummary";
import { trajectoryText } from "./trajectoryText";

export const trajectoryCommand: Command = {
  name: "trajectory",
  operands: ["FILE"],
  summary: "Shows the sessions of a file or folder of this or another program, and what of them was lost.",
  options: { json: jsonOption },
  async run(given, terminal) {
    const [file = ""] = given.operands;
    const trajectory = await openTrajectory(resolve(terminal.cwd, file), terminal.signal);
    const summary = trajectorySummary(trajectory);
    if (given.has("json")) await terminal.write(jsonText(summary));
    else for (const piece of trajectoryText(trajectory, summary)) await terminal.write(piece);
    return true;
  },
};
