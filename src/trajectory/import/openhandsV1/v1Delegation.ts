import type { SourceRecord } from "../format";
import { field, fieldAt, filledText, list, record, text } from "../jsonAccess";

/** A conversation that was read from a folder. */
export interface V1Conversation {
  readonly key: string;
  /** Key of the one in whose folder it lies. */
  readonly parent: string | undefined;
  readonly events: readonly SourceRecord[];
}

/** The call each subagent's conversation worked for, by its key: the one that gave it what it was asked first. */
export function callsOfSubagents(conversations: readonly V1Conversation[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { key, parent, events } of conversations) {
    const caller = conversations.find((other) => other.key === parent);
    const asked = firstQuestion(events);
    if (caller === undefined || asked === undefined) continue;
    for (const { value } of caller.events) {
      const callId = filledText(field(value, "tool_call_id"));
      if (callId === undefined || !tasksOf(value).includes(asked)) continue;
      // One call may give tasks to several, each its own.
      const task = `${caller.key} ${callId} ${asked}`;
      if (taken.has(task)) continue;
      taken.add(task);
      found.set(key, callId);
      break;
    }
  }
  return found;
}

function tasksOf(event: unknown): readonly string[] {
  if (field(event, "kind") !== "ActionEvent") return [];
  const action = record(field(event, "action"));
  const given = [action.prompt, action.task, action.message, ...Object.values(record(action.tasks))];
  return given.flatMap((task) => filledText(task)?.trim() ?? []);
}

function firstQuestion(events: readonly SourceRecord[]): string | undefined {
  const message = events.find(
    ({ value }) => field(value, "kind") === "MessageEvent" && field(value, "source") === "user",
  );
  const content = fieldAt(message?.value, "llm_message", "content");
  const said =
    typeof content === "string"
      ? content
      : list(content)
          .map((part) => text(field(part, "text")) ?? "")
          .join("\n");
  return filledText(said.trim());
}
