import { limits } from "../../base";
import type { ImportedFrom, SessionRecord } from "../../storage";

/** What of the list is wanted. */
export type SessionFilter = "all" | "runs" | "comparisons" | "imported";

/** The runs of one comparison. */
export interface SessionGroup {
  readonly experimentId: string;
  /** Newest first, at least one. */
  readonly records: readonly SessionRecord[];
}

/** The sessions of one file that holds many. */
export interface FileGroup {
  readonly key: string;
  readonly fileName: string;
  /** In the order of the file. */
  readonly records: readonly SessionRecord[];
}

export interface GroupedSessions {
  /** Sessions a person began or brought, newest first: they come before all that is folded. */
  readonly own: readonly SessionRecord[];
  readonly files: readonly FileGroup[];
  readonly comparisons: readonly SessionGroup[];
}

/**
 * One comparison makes many sessions, and a file may hold thousands: they are folded under one entry. Keeps the order of
 * `records`.
 */
export function groupedSessions(records: readonly SessionRecord[], filter: SessionFilter): GroupedSessions {
  const groups = new Map<string, SessionRecord[]>();
  const own: SessionRecord[] = [];
  for (const record of records) {
    if (record.origin === "compare") {
      const experimentId = record.experimentId ?? "";
      groups.set(experimentId, [...(groups.get(experimentId) ?? []), record]);
    } else if (filter === "all" || (record.origin === "import") === (filter === "imported")) own.push(record);
  }
  const { single, files } = groupedFiles(own);
  const isWanted = filter === "all" || filter === "comparisons";
  return {
    own: filter === "comparisons" ? [] : single,
    files: filter === "comparisons" ? [] : files,
    comparisons: isWanted ? [...groups].map(([experimentId, runs]) => ({ experimentId, records: runs })) : [],
  };
}

/** A file of few sessions is not folded: a conversation and those it had others work for are seen at once. */
function groupedFiles(records: readonly SessionRecord[]) {
  const byFile = new Map<string, SessionRecord[]>();
  for (const record of records) {
    if (record.imported === undefined) continue;
    const key = fileKey(record.imported);
    const group = byFile.get(key);
    if (group === undefined) byFile.set(key, [record]);
    else group.push(record);
  }
  const many = [...byFile].filter(([, group]) => group.length > limits.unfoldedFileSessions);
  const folded = new Set(many.map(([key]) => key));
  return {
    single: records.filter(({ imported }) => imported === undefined || !folded.has(fileKey(imported))),
    files: many.map(([key, group]) => ({ key, fileName: group[0]?.imported?.fileName ?? "", records: group })),
  };
}

function fileKey({ original, fileName }: ImportedFrom): string {
  return `${original ?? ""}\n${fileName}`;
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
