import { checksumOf } from "../fs";
import type { SessionEvent } from "../session";

/** Events of one append in a record of its own: their number, and a line each. */
export interface LogBatchRecord {
  readonly count: number;
  readonly lines: string;
  /** Absent in logs of earlier versions. */
  readonly checksum?: number;
}

/** Where a session's log ends; there for as long as the session is. */
export interface LogEnd {
  readonly eventCount: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export function logBatchRecord(lines: readonly string[]): LogBatchRecord {
  const text = lines.join("\n");
  return { count: lines.length, lines: text, checksum: checksumOf(lines.length, text) };
}

/** The lines of a batch; `undefined` when it is damaged. */
export function logBatchFromRecord(record: unknown): readonly string[] | undefined {
  const { checksum, count, lines: text } = (record ?? {}) as Partial<LogBatchRecord>;
  if (typeof count !== "number" || typeof text !== "string") return undefined;
  if (checksum !== undefined && checksum !== checksumOf(count, text)) return undefined;
  const lines = text.split("\n");
  return lines.length === count ? lines : undefined;
}

export function logEndRecord(eventCount: number, updatedAt: number): LogEnd & { readonly checksum: number } {
  return { eventCount, updatedAt, checksum: checksumOf(eventCount, updatedAt) };
}

/** `undefined` when it is lost or damaged. */
export function logEndFromRecord(record: unknown): LogEnd | undefined {
  const { checksum, eventCount, updatedAt } = (record ?? {}) as Partial<ReturnType<typeof logEndRecord>>;
  if (!Number.isInteger(eventCount) || typeof eventCount !== "number" || typeof updatedAt !== "number")
    return undefined;
  if (checksum !== undefined && checksum !== checksumOf(eventCount, updatedAt)) return undefined;
  return { eventCount, updatedAt };
}

/**
 * What stands for events that cannot be read, so that every other keeps its place: the first says how many they are.
 * @param at the time of the event before them
 */
export function lostEvents(from: number, to: number, at = new Date(0).toISOString()): SessionEvent[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    type: "log.damaged",
    data: { lostCount: index === 0 ? to - from : 0 },
    meta: { id: `lost_${from + index}`, at },
  }));
}
