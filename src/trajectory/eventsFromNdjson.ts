import { PLAYGROUND_SCHEMA, type SessionEvent } from "../session";
import { checkedEvent } from "./checkedEvent";
import { WarningList, type ImportWarning } from "./importWarning";
import { logLines, type LogLine, type LogSource } from "./logLines";
import { TrajectoryError } from "./trajectoryError";

export interface ImportedLog {
  readonly events: readonly SessionEvent[];
  readonly warnings: readonly ImportWarning[];
}

/**
 * The events of a saved log. A log cut at any byte opens up to its last whole line; a line that is broken costs that
 * line and a warning with its place. What the source itself throws while it is read passes through.
 *
 * @throws TrajectoryError `newer-schema` · `not-a-session` when no line of it is an event
 */
export async function eventsFromNdjson(source: LogSource): Promise<ImportedLog> {
  const events: SessionEvent[] = [];
  const warnings = new WarningList();
  for await (const line of logLines(source)) {
    const event = eventFromLine(line, warnings);
    if (event === undefined) continue;
    assertKnownSchema(event);
    events.push(event);
  }
  if (events.length === 0) throw new TrajectoryError("not-a-session", "No line of this file is an event of a session.");
  return { events, warnings: warnings.all() };
}

function eventFromLine(line: LogLine, warnings: WarningList): SessionEvent | undefined {
  const place = { line: line.number, byteOffset: line.byteOffset };
  if (line.text === undefined) {
    warnings.add({
      ...place,
      code: "too-long",
      message: `Line ${line.number} is too long (${line.byteLength} bytes) and was left out.`,
    });
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    warnings.add(
      line.isEnded
        ? { ...place, code: "bad-json", message: `Line ${line.number} is not valid JSON and was left out.` }
        : { ...place, code: "cut", message: cutMessage(line) },
    );
    return undefined;
  }
  const checked = checkedEvent(value);
  if ("event" in checked) return checked.event;
  warnings.add({ ...place, code: "not-an-event", message: `Line ${line.number} was left out: ${checked.problem}.` });
  return undefined;
}

function cutMessage(line: LogLine): string {
  const begun = /^\s*\{\s*"type"\s*:\s*"([^"]*)"/.exec(line.text ?? "")?.[1];
  const what = begun === undefined ? "" : ` of an event ${begun}`;
  return `The file was cut: its last ${line.byteLength} bytes${what}, from line ${line.number} on, are lost.`;
}

function assertKnownSchema(event: SessionEvent): void {
  if (event.type !== "session.started") return;
  const schema: unknown = event.data.playground?.schema;
  if (typeof schema === "number" && schema > PLAYGROUND_SCHEMA) {
    throw new TrajectoryError(
      "newer-schema",
      `This session was saved by a newer version (log format ${schema}; this version reads up to ${PLAYGROUND_SCHEMA}).`,
    );
  }
}
