import type { SessionRecord } from "../../storage";

/** What of the list is wanted. */
export type SessionFilter = "all" | "runs" | "comparisons" | "imported";

/** The runs of one comparison. */
export interface SessionGroup {
  readonly experimentId: string;
  /** Newest first, at least one. */
  readonly records: readonly SessionRecord[];
}

export interface GroupedSessions {
  /** Sessions a person began or brought, newest first: they come before all comparisons. */
  readonly own: readonly SessionRecord[];
  readonly comparisons: readonly SessionGroup[];
}

/** One comparison makes many sessions: they are folded under one entry. Keeps the order of `records`. */
export function groupedSessions(records: readonly SessionRecord[], filter: SessionFilter): GroupedSessions {
  const groups = new Map<string, SessionRecord[]>();
  const own: SessionRecord[] = [];
  for (const record of records) {
    if (record.origin === "compare") {
      const experimentId = record.experimentId ?? "";
      groups.set(experimentId, [...(groups.get(experimentId) ?? []), record]);
    } else if (filter === "all" || (record.origin === "import") === (filter === "imported")) own.push(record);
  }
  const isWanted = filter === "all" || filter === "comparisons";
  return {
    own: filter === "comparisons" ? [] : own,
    comparisons: isWanted ? [...groups].map(([experimentId, runs]) => ({ experimentId, records: runs })) : [],
  };
}

/** The filters that would leave something out; none when all sessions are of one kind. */
export function usefulFilters(records: readonly SessionRecord[]): readonly SessionFilter[] {
  const origins = new Set(records.map(({ origin }) => origin));
  if (origins.size < 2) return [];
  return [
    "all",
    ...(origins.has("live") || origins.has("fork") ? (["runs"] as const) : []),
    ...(origins.has("compare") ? (["comparisons"] as const) : []),
    ...(origins.has("import") ? (["imported"] as const) : []),
  ];
}
