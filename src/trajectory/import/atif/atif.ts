import { probedRecords, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionAbout } from "../importBuilder";
import { field, filledText, isRecord, record, text } from "../jsonAccess";
import { offeredTools } from "../openaiChat/chatTools";
import { streamedRecords } from "../openaiChat/eventStream";
import { present } from "../present";
import { AtifSteps } from "./atifSteps";
import { AtifCollector, isAtif, isAtifHeader, isAtifStep, namesOf, type AtifTrajectory } from "./atifTrajectory";

/** The Agent Trajectory Interchange Format, in its versions and in the forms its writers give it. */
export const atif: TrajectoryFormat = {
  name: "atif",
  // Subagents and what a trajectory goes on with may be files beside it.
  acrossFiles: true,
  detect(probe) {
    if (probe.kind !== "json" && probe.kind !== "lines") return 0;
    const records = probedRecords(probe);
    const [first] = records;
    if (isAtif(first)) return /^ATIF/i.test(text(first.schema_version) ?? "") ? 95 : 80;
    if (isAtifHeader(first)) return 95;
    if (isRecord(first) && Object.values(first).some((value) => isAtif(value))) return 85;
    return records.length > 0 && records.every(isAtifStep) ? 60 : 0;
  },
  async read(input, out) {
    const collector = new AtifCollector();
    for (const file of input.files) {
      for await (const source of streamedRecords(input, file)) {
        if (!collector.add(file.path, source))
          out.warn({
            code: "unknown-record",
            message: "No trajectory and no step of one.",
            origin: source.origin,
            kept: false,
          });
        input.progress();
      }
    }
    readTrajectories(collector.found, out);
  },
};

function readTrajectories(found: readonly AtifTrajectory[], out: ImportBuilder): void {
  const byName = new Map<string, AtifTrajectory>();
  for (const trajectory of found)
    for (const name of namesOf(trajectory)) if (!byName.has(name)) byName.set(name, trajectory);
  const followers = followersOf(found, byName);
  const linked = new Set<AtifTrajectory>();
  for (const trajectory of found) {
    const { key, head } = trajectory;
    const predecessor = followers.get(trajectory);
    // What refers to it also knows the call it works for.
    const { within } = trajectory;
    const parent = within === undefined || linked.has(trajectory) ? undefined : { key: within.key };
    const draft = out.session(key, present({ ...aboutOf(trajectory), predecessor: predecessor?.key, parent }));
    out.version(filledText(head.schema_version) ?? "");
    if (typeof head.notes === "string") draft.note("notes", head.notes, { origin: trajectory.source.origin });
    new AtifSteps(draft, out, (reference, callId) => {
      const child = referenced(reference, byName);
      if (child === undefined || child === trajectory)
        draft.note("subagent", reference, { origin: trajectory.source.origin });
      else {
        linked.add(child);
        out.session(child.key, { parent: present({ key, callId }) });
      }
    }).read(trajectory);
  }
}

/** What a reference names: a trajectory of the same file by its id, or one of another file. */
function referenced(reference: unknown, byName: ReadonlyMap<string, AtifTrajectory>): AtifTrajectory | undefined {
  const { trajectory_id: id, session_id: sessionId, trajectory_path: path } = record(reference);
  const fileName = text(path)?.split("/").at(-1);
  for (const name of [id, path, fileName, sessionId]) {
    const found = typeof name === "string" ? byName.get(name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of each trajectory that goes on from another one, that one. */
function followersOf(
  found: readonly AtifTrajectory[],
  byName: ReadonlyMap<string, AtifTrajectory>,
): Map<AtifTrajectory, AtifTrajectory> {
  const followers = new Map<AtifTrajectory, AtifTrajectory>();
  for (const trajectory of found) {
    const reference = trajectory.head.continued_trajectory_ref;
    const name =
      text(reference) ?? text(field(reference, "trajectory_path")) ?? text(field(reference, "trajectory_id"));
    const next = name === undefined ? undefined : (byName.get(name) ?? byName.get(name.split("/").at(-1) ?? ""));
    if (next !== undefined && next !== trajectory) followers.set(next, trajectory);
  }
  return followers;
}

function aboutOf({ head }: AtifTrajectory): SessionAbout {
  const agent = record(head.agent);
  const tools = offeredTools(agent.tool_definitions);
  return present({
    id: filledText(head.trajectory_id) ?? filledText(head.session_id),
    agentName: filledText(agent.name),
    agentVersion: filledText(agent.version),
    modelId: filledText(agent.model_name) ?? filledText(agent.model),
    tools: tools.length > 0 ? tools : undefined,
  });
}
