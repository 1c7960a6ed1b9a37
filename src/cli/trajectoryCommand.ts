import { resolve } from "node:path";
import type { ImportedTrajectory } from "../trajectory";
import type { Command, GivenOptions } from "./command";
import { usageError } from "./commandError";
import { jsonOption } from "./commandOptions";
import { divergenceText } from "./divergenceText";
import { jsonText } from "./jsonText";
import { openTrajectory } from "./openTrajectory";
import { chosenSessions, mainSession } from "./sessionChoice";
import type { Terminal } from "./terminal";
import { exportFormats, trajectoryExport } from "./trajectoryExport";
import { divergencePolicies, trajectoryReexecution } from "./trajectoryReexecution";
import { trajectorySummary } from "./trajectorySummary";
import { trajectoryText } from "./trajectoryText";

export const trajectoryCommand: Command = {
  name: "trajectory",
  operands: ["FILE"],
  summary: "Shows the sessions of a file or folder of this or another program, and what of them was lost.",
  options: {
    export: { value: "FORMAT", help: `writes them as ${exportFormats.join(", ")} to standard output` },
    content: { help: "otlp: texts, arguments and results go along" },
    reexecute: { help: "runs the calls of one session again on a copy of a tree and says where they diverge" },
    root: { value: "DIR", help: "reexecute: the directory to copy; else the file's own tree, or one inferred" },
    policy: { value: "POLICY", help: `reexecute: what goes on after a divergence, ${divergencePolicies.join(", ")}` },
    session: { value: "SESSION", help: "one session, by number or id, and those that work for it" },
    json: jsonOption,
  },
  async run(given, terminal) {
    assertTogether(given);
    const format = given.oneOf("export", exportFormats);
    const [operand = ""] = given.operands;
    const file = resolve(terminal.cwd, operand);
    const trajectory = await openTrajectory(file, terminal.signal);
    const sessions = chosenSessions(trajectory.sessions, given.text("session"));
    const chosen = { ...trajectory, sessions };
    if (given.has("reexecute")) await writeReexecution(given, terminal, { file, chosen });
    else if (format !== undefined) {
      const pieces = trajectoryExport(sessions, trajectory.blobs, { format, withContent: given.has("content") });
      for await (const piece of pieces) await terminal.write(piece);
    } else {
      const summary = trajectorySummary(chosen);
      if (given.has("json")) await terminal.write(jsonText(summary));
      else for (const piece of trajectoryText(chosen, summary)) await terminal.write(piece);
    }
    return true;
  },
};

/** @throws CommandError for options that say nothing together */
function assertTogether(given: GivenOptions): void {
  if (given.has("export") && given.has("reexecute")) throw usageError("--export and --reexecute do not go together.");
  for (const name of ["root", "policy"])
    if (given.has(name) && !given.has("reexecute")) throw usageError(`--${name} goes with --reexecute.`);
  if (given.has("content") && given.text("export") !== "otlp") throw usageError("--content goes with --export otlp.");
}

async function writeReexecution(
  given: GivenOptions,
  terminal: Terminal,
  { file, chosen }: { readonly file: string; readonly chosen: ImportedTrajectory },
): Promise<void> {
  const root = given.text("root");
  const report = await trajectoryReexecution(mainSession(chosen.sessions), chosen, {
    file,
    root: root === undefined ? undefined : resolve(terminal.cwd, root),
    policy: given.oneOf("policy", divergencePolicies) ?? "recorded",
    signal: terminal.signal,
  });
  if (given.has("json")) await terminal.write(jsonText(report));
  else for (const piece of divergenceText(report)) await terminal.write(piece);
}
