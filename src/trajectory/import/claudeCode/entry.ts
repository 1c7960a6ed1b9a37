import type { SourceRecord } from "../format";
import type { Where } from "../importBuilder";
import { field, fieldAt, filledText, instant, isRecord, list, text } from "../jsonAccess";

/** One line of a log, with what places it. */
export interface Entry extends SourceRecord {
  /** Its number among all that were read. */
  readonly index: number;
  readonly type: string | undefined;
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly sessionId: string | undefined;
  readonly isSidechain: boolean;
  readonly agentId: string | undefined;
  /** Milliseconds since 1970. */
  readonly atMs: number | undefined;
}

export function entryOf({ value, origin }: SourceRecord, index: number): Entry {
  const at = instant(field(value, "timestamp"));
  return {
    value,
    origin,
    index,
    type: text(field(value, "type")),
    uuid: filledText(field(value, "uuid")),
    // After a compaction the chain begins anew; where it went on from is named all the same.
    parentUuid: filledText(field(value, "parentUuid")) ?? filledText(field(value, "logicalParentUuid")),
    sessionId: filledText(field(value, "sessionId")) ?? filledText(field(value, "session_id")),
    isSidechain: field(value, "isSidechain") === true,
    agentId: filledText(field(value, "agentId")),
    atMs: at?.at.getTime(),
  };
}

/** Where an entry stands, and when it was. */
export function whereOf({ value, origin }: SourceRecord): Where {
  const timestamp = field(value, "timestamp");
  return { origin, at: typeof timestamp === "string" || typeof timestamp === "number" ? timestamp : undefined };
}

/** The blocks of an entry's message; a text is one block. `undefined` when it has none that can be read. */
export function blocksOf(value: unknown): readonly unknown[] | undefined {
  const content = fieldAt(value, "message", "content");
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return undefined;
  return list(content).map((block) => (typeof block === "string" ? { type: "text", text: block } : block));
}

export function isBlock(block: unknown, type: string): boolean {
  return isRecord(block) && block["type"] === type;
}

/** Whether an entry is part of what was said: all others only tell of it. */
export function isSpoken({ type }: Entry): boolean {
  return type === "user" || type === "assistant" || type === "tool_use" || type === "tool_result";
}

/** The id of the model's response an entry is a part of. */
export function messageIdOf(value: unknown): string | undefined {
  return (
    filledText(fieldAt(value, "message", "id")) ??
    filledText(field(value, "requestId")) ??
    filledText(field(value, "uuid"))
  );
}

export const INTERRUPTED = "[Request interrupted by user";

/** Text of the program itself, in the place of a person's. */
const LOCAL =
  /^\s*(<local-command-(stdout|stderr|caveat)>|<bash-(input|stdout|stderr)>|Caveat: The messages below were generated)/;
const CLEAR = /^\s*(<command-message>[^<]*<\/command-message>\s*)?<command-name>\/(clear|reset|new)<\/command-name>/;

export type UserKind = "prompt" | "results" | "interrupt" | "meta" | "local" | "clear" | "summary" | "unreadable";

/** What an entry of the type `user` is: a person's word is only one of many things. */
export function userKindOf(value: unknown): UserKind {
  const blocks = blocksOf(value);
  if (blocks === undefined) return "unreadable";
  if (blocks.some((block) => isBlock(block, "tool_result"))) return "results";
  if (field(value, "isCompactSummary") === true) return "summary";
  const said = blocks.map((block) => text(field(block, "text")) ?? "").join("\n");
  if (said.startsWith(INTERRUPTED)) return "interrupt";
  if (field(value, "isMeta") === true) return "meta";
  if (CLEAR.test(said)) return "clear";
  return LOCAL.test(said) ? "local" : "prompt";
}

/** A command as a person typed it: the program keeps it as markup. */
export function typedCommand(said: string): string | undefined {
  const name = /<command-name>([^<]*)<\/command-name>/.exec(said)?.[1]?.trim();
  if (name === undefined || name === "" || !/^\s*<command-(name|message)>/.test(said)) return undefined;
  const typed = /<command-args>([\s\S]*?)<\/command-args>/.exec(said)?.[1]?.trim() ?? "";
  return typed === "" ? name : `${name} ${typed}`;
}
