import { memo, useCallback, useMemo } from "react";
import type { ChatRow } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { CallRow } from "./CallRow";
import { GroupRow } from "./GroupRow";
import { AssistantRow, NoticeRow, ReasoningRow, UserRow } from "./MessageRows";
import { RowList, type RowFocus, type RowListProps } from "./RowList";
import { useForeignLook } from "./sessionLookContext";
import { useSessionItem, useSessionLook, useSessionState } from "./useSessionState";

/** First guesses of heights in px, by what a row is; each row is measured once it is drawn. */
const TEXT_HEIGHT = 62;
const CALL_HEIGHT = 34;

/** The conversation. The list knows the ids of its rows; each row watches its own item. */
export function ChatView() {
  const rows = useSessionLook((state) => state.rows);
  const { session: own } = useWorkbench();
  const store = useForeignLook()?.store ?? own;
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const rowIds = useMemo(() => rows.map((row) => row.id), [rows]);
  const renderRow = useCallback(
    (rowId: string, focus: RowFocus) => {
      const row = byId.get(rowId);
      return row === undefined ? null : <Row row={row} focusable={focus.tabIndex} />;
    },
    [byId],
  );
  const estimateHeight = useCallback(
    (rowId: string) => {
      const row = byId.get(rowId);
      if (row?.kind === "group") return CALL_HEIGHT;
      return store.getState().session.items.get(rowId)?.kind === "call" ? CALL_HEIGHT : TEXT_HEIGHT;
    },
    [byId, store],
  );
  return (
    <RowList
      label="Conversation"
      rowIds={rowIds}
      estimateHeight={estimateHeight}
      follow
      renderRow={renderRow}
      {...useRunningTurn()}
    />
  );
}

/** What the list does by itself while the session runs here: go to what was just sent, and to what waits for the person. */
function useRunningTurn(): Pick<RowListProps, "attention" | "toEndFor"> {
  const onlyLooks = useForeignLook() !== undefined;
  const waiting = useSessionLook((state) => state.session.pendingRequests);
  const turnId = useSessionState((state) => (state.runner === "this-tab" ? state.session.turns.last?.id : undefined));
  const [first] = waiting;
  if (onlyLooks) return {};
  if (first === undefined) return { toEndFor: turnId };
  const words = waiting.length === 1 ? "1 call waits for you" : `${waiting.length} calls wait for you`;
  return { attention: { rowId: first.action.callId, words } };
}

interface RowProps {
  readonly row: ChatRow;
  readonly focusable: RowFocus["tabIndex"];
}

const Row = memo(function Row({ row, focusable }: RowProps) {
  const focus = useMemo(() => ({ "data-row": row.id, tabIndex: focusable }) as const, [row.id, focusable]);
  if (row.kind === "group") return <GroupRow id={row.id} callIds={row.callIds} focus={focus} />;
  return <ItemRow id={row.id} within={row.within !== undefined} focus={focus} />;
}, sameRow);

function sameRow(before: RowProps, after: RowProps): boolean {
  if (before.focusable !== after.focusable) return false;
  const [a, b] = [before.row, after.row];
  if (a.kind === "item") return b.kind === "item" && a.id === b.id && a.within === b.within;
  return b.kind === "group" && a.id === b.id && a.open === b.open && a.callIds.length === b.callIds.length;
}

function ItemRow({ id, within, focus }: { readonly id: string; readonly within: boolean; readonly focus: RowFocus }) {
  const item = useSessionItem(id);
  switch (item?.kind) {
    case "user":
      return <UserRow item={item} focus={focus} />;
    case "assistant":
      return <AssistantRow item={item} focus={focus} />;
    case "reasoning":
      return <ReasoningRow item={item} focus={focus} />;
    case "call":
      return <CallRow item={item} within={within} focus={focus} />;
    case "notice":
      return <NoticeRow item={item} focus={focus} />;
    default:
      return null;
  }
}
