import type { SessionRecord } from "../storage";
import type { OutlineChild } from "./replayLookOutline";

/** How a session belongs to others: those it works for, those that work for it, and its other branches. */
export interface SessionFamily {
  readonly parent?: { readonly record: SessionRecord; readonly callId?: string };
  readonly children: readonly OutlineChild[];
  /** The other ends of a recording that forks, the newest one first. */
  readonly branches: readonly SessionRecord[];
}

export function sessionFamily(records: readonly SessionRecord[], sessionId: string | undefined): SessionFamily {
  const own = records.find(({ id }) => id === sessionId);
  if (own === undefined) return { children: [], branches: [] };
  const { imported } = own;
  const parent = records.find(({ id }) => id === imported?.parent?.sessionId);
  const stem = imported?.branchOf ?? own.id;
  return {
    ...(parent === undefined
      ? {}
      : { parent: { record: parent, ...(imported?.parent?.callId && { callId: imported.parent.callId }) } }),
    children: records
      .filter((record) => record.imported?.parent?.sessionId === own.id)
      .map((record) => ({
        sessionId: record.id,
        name: record.name,
        eventCount: record.eventCount,
        ...(record.imported?.parent?.callId && { callId: record.imported.parent.callId }),
      })),
    branches: records
      .filter((record) => record.id !== own.id && (record.id === stem || record.imported?.branchOf === stem))
      .toSorted((a, b) => Number(b.id === stem) - Number(a.id === stem)),
  };
}
