import { probedRecords, type TrajectoryFormat } from "../format";
import { field, fieldAt, filledText, isRecord, text } from "../jsonAccess";
import { CopilotSession } from "./copilotSession";

const TYPES =
  /^(session\.(start|resume|model_change|info|error|truncation|compaction_\w+|shutdown)|assistant\.(message|turn_start|turn_end|reasoning|usage)|user\.message|tool\.execution_(start|complete)|subagent\.\w+|abort)$/;

/** Logs of the Copilot CLI: events, each with the one before it. */
export const copilotCli: TrajectoryFormat = {
  name: "copilot-cli",
  detect(probe) {
    if (probe.kind === "text") return 0;
    const records = probedRecords(probe);
    const named = records.filter((entry) => TYPES.test(text(field(entry, "type")) ?? ""));
    return named.length * 2 >= records.length && named.some((entry) => isEvent(entry)) ? 85 : 0;
  },
  async read(input, out) {
    for (const file of input.files) {
      const session = new CopilotSession(file.path, out);
      for await (const entry of input.records(file)) {
        if (isRecord(entry.value)) session.event(entry);
        else out.warn({ code: "unknown-entry", origin: entry.origin, kept: false });
      }
      const version = session.version;
      if (version !== undefined) out.version(version);
    }
  },
};

function isEvent(entry: unknown): boolean {
  return (
    isRecord(field(entry, "data")) &&
    (filledText(field(entry, "id")) !== undefined ||
      field(entry, "parentId") !== undefined ||
      fieldAt(entry, "data", "sessionId") !== undefined)
  );
}
