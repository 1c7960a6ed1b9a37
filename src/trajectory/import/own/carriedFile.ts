import { PLAYGROUND_SCHEMA } from "../../../session";
import { CARRIED_KEY, carriedLog, type CarriedLog } from "../../export/carriedLog";
import { carriedTextOfPage } from "../../export/htmlFromSessions";
import { checkedEvent } from "../../checkedEvent";
import type { JsonValue } from "../../../base";
import type { FormatInput, TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, isRecord } from "../jsonAccess";

/**
 * Files in the formats of others, and pages, that this program has written with its own log in them. One that was edited
 * since is read by what it says, as any other file of its format.
 */
export const carriedFiles: readonly TrajectoryFormat[] = [
  carriedFile("atif", (document) => field(field(document, "extra"), CARRIED_KEY) !== undefined),
  carriedFile(
    "openai-chat",
    (document) => field(document, CARRIED_KEY) !== undefined && field(document, "messages") !== undefined,
  ),
  {
    name: "rootscope",
    detect: ({ kind, head }) =>
      kind === "text" && head.includes(`<meta name="generator" content="${CARRIED_KEY}">`) ? 100 : 0,
    read: async (input, out) => await readCarried(input, out, pageLog),
  },
];

function carriedFile(name: string, holds: (document: unknown) => boolean): TrajectoryFormat {
  return {
    name,
    detect: ({ kind, records: [first] }) =>
      kind === "json" && holds(first) && carriedIn(first) !== undefined ? 100 : 0,
    read: async (input, out) => await readCarried(input, out, parsed),
  };
}

async function readCarried(
  input: FormatInput,
  out: ImportBuilder,
  documentOf: (text: string) => unknown,
): Promise<void> {
  for (const file of input.files) {
    const carried = carriedIn(documentOf(await input.text(file)));
    if (carried !== undefined) adopt(carried, out);
    else out.warn({ code: "bad-json", message: "The log this file carries cannot be read.", kept: false });
  }
}

/** A page says nothing beside its log. */
function pageLog(html: string): unknown {
  const text = carriedTextOfPage(html);
  return text === undefined ? undefined : { [CARRIED_KEY]: parsed(text) };
}

function carriedIn(document: unknown): CarriedLog | undefined {
  if (!isRecord(document)) return undefined;
  const extra = field(document, "extra");
  const inExtra = field(extra, CARRIED_KEY);
  if (inExtra !== undefined) {
    const { extra: _extra, ...beside } = document;
    const others = Object.entries(extra as Record<string, unknown>).filter(([name]) => name !== CARRIED_KEY);
    const rest = others.length === 0 ? beside : { ...beside, extra: Object.fromEntries(others) };
    return carriedLog(inExtra, rest as JsonValue);
  }
  const { [CARRIED_KEY]: own, ...beside } = document;
  if (own === undefined) return undefined;
  return carriedLog(own, Object.keys(beside).length === 0 ? null : (beside as JsonValue));
}

function adopt({ sessions, blobs }: CarriedLog, out: ImportBuilder): void {
  out.version(String(PLAYGROUND_SCHEMA));
  for (const bytes of blobs.values()) out.blob(bytes);
  for (const { id, title, events } of sessions) {
    const checked = events.flatMap((value) => {
      const found = checkedEvent(value);
      if ("event" in found) return [found.event];
      out.warn({ code: "not-an-event", message: `An event was left out: ${found.problem}.`, kept: false });
      return [];
    });
    const source = checked.find((event) => event.type === "import.source");
    if (source?.type === "import.source" && isRecord(source.data.fidelity)) out.fidelity(source.data.fidelity);
    out.adopt({ events: checked, id, ...(title === undefined ? {} : { title }) });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
