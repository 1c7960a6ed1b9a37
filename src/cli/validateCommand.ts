import type { Command } from "./command";
import { agentOption, jsonOption, treeOptions } from "./commandOptions";
import { faultText } from "./faultText";
import { jsonText } from "./jsonText";
import { openAgent } from "./openAgent";

export const validateCommand: Command = {
  name: "validate",
  operands: [],
  summary: "Checks an agent's folder and prints everything wrong with it at once.",
  details: "Without --dir the folder you are in is checked. Exits with 1 when there are faults; warnings are none.",
  options: { dir: agentOption, ...treeOptions, json: jsonOption },
  async run(given, terminal, { modules }) {
    const { faults, warnings, folder, report } = await openAgent(given.or("dir", "."), terminal, modules);
    const isSound = faults.length === 0;
    if (given.has("json")) {
      await terminal.write(jsonText({ ok: isSound, faults, warnings }));
      return isSound;
    }
    const told = [...faults.map(faultText), ...warnings.map((warning) => `warning: ${faultText(warning)}`)];
    if (isSound) told.push(`${report.definition?.name ?? folder?.directory ?? "The agent"} is sound.`);
    else told.push(faults.length === 1 ? "1 fault." : `${faults.length} faults.`);
    await terminal.write(`${told.join("\n")}\n`);
    return isSound;
  },
};
