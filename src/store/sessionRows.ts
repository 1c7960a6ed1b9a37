import { limits } from "../base";
import type { SessionItem, SessionState } from "../session";
import { isReadTool } from "./isReadTool";

/** One line of the chat: an item of the session, or a run of reads folded into one line. */
export type ChatRow =
  | { readonly kind: "item"; readonly id: string; readonly within?: string }
  | { readonly kind: "group"; readonly id: string; readonly callIds: readonly string[]; readonly open: boolean };

/**
 * The chat's rows in order. Reads next to each other fold once their turn is over: while it runs, rows are only ever
 * added, so that nothing under a person's eyes moves.
 */
export function chatRows(state: SessionState, openGroups: ReadonlySet<string>): readonly ChatRow[] {
  const running = new Set(
    [...state.turns].filter(({ status }) => status === "running" || status === "waiting").map(({ id }) => id),
  );
  const rows: ChatRow[] = [];
  let reads: string[] = [];
  const flush = () => {
    rows.push(...rowsOfReads(reads, openGroups));
    reads = [];
  };
  for (const id of state.itemIds) {
    const item = state.items.get(id);
    if (item === undefined || isEmptyText(item)) continue;
    if (item.kind === "call" && isReadTool(item.toolName) && !running.has(item.turnId)) {
      reads.push(id);
      continue;
    }
    flush();
    rows.push({ kind: "item", id });
  }
  flush();
  return rows;
}

/** `before` itself when nothing differs, so that the list does not render again. */
export function sameRows(before: readonly ChatRow[], after: readonly ChatRow[]): readonly ChatRow[] {
  const same =
    before.length === after.length &&
    before.every((row, index) => {
      const other = after[index];
      if (other === undefined || row.id !== other.id || row.kind !== other.kind) return false;
      if (row.kind === "item") return other.kind === "item" && row.within === other.within;
      return other.kind === "group" && row.open === other.open && row.callIds.length === other.callIds.length;
    });
  return same ? before : after;
}

function rowsOfReads(callIds: readonly string[], openGroups: ReadonlySet<string>): readonly ChatRow[] {
  const [first] = callIds;
  if (first === undefined || callIds.length < limits.chatGroupCalls) return callIds.map((id) => ({ kind: "item", id }));
  const id = groupId(first);
  const open = openGroups.has(id);
  const group: ChatRow = { kind: "group", id, callIds, open };
  return open ? [group, ...callIds.map((callId): ChatRow => ({ kind: "item", id: callId, within: id }))] : [group];
}

export function groupId(firstCallId: string): string {
  return `group:${firstCallId}`;
}

/** How the calls of a group ended, counted. */
export function groupCounts(
  state: SessionState,
  callIds: readonly string[],
): { readonly ok: number; readonly failed: number } {
  let failed = 0;
  for (const id of callIds) {
    const item = state.items.get(id);
    if (item?.kind === "call" && (item.state === "failed" || item.state === "rejected")) failed++;
  }
  return { ok: callIds.length - failed, failed };
}

/** A step that only calls tools completes a message without words; it has nothing to show. */
function isEmptyText(item: SessionItem): boolean {
  return (item.kind === "assistant" || item.kind === "reasoning") && item.done && item.text.trim() === "";
}

/** Which tools a group called, most used first: `Read 8, Grep 3`. */
export function groupTools(state: SessionState, callIds: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const id of callIds) {
    const item = state.items.get(id);
    if (item?.kind === "call") counts.set(item.toolName, (counts.get(item.toolName) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
