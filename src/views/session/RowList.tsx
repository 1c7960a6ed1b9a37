import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type FocusEvent, type ReactNode } from "react";
import { isFocusFree } from "./isFocusFree";
import { rowByKey } from "../widgets/rowByKey";
import { useFollowEnd } from "./useFollowEnd";
import { useKeyDown } from "./useKeyDown";
import { useRowAttention, type RowAttention } from "./useRowAttention";

/** What the one focusable element of a row spreads: rows are one stop of the Tab key, j and k go between them. */
export interface RowFocus {
  readonly "data-row": string;
  readonly tabIndex: 0 | -1;
}

export interface RowListProps {
  readonly label: string;
  readonly rowIds: readonly string[];
  /** In px, before a row has been measured. */
  readonly estimateHeight: (rowId: string) => number;
  /** Stays at the end while rows arrive, unless the person scrolled away from it. */
  readonly follow?: boolean;
  readonly attention?: RowAttention | undefined;
  /** The list goes to its end whenever this becomes another text, wherever the person has scrolled. */
  readonly toEndFor?: string | undefined;
  readonly className?: string;
  readonly renderRow: (rowId: string, focus: RowFocus) => ReactNode;
}

/** Nearer to the end than this, in px, counts as being there. */
const END_THRESHOLD = 32;

/** Room below the last row, in px. */
const END_PADDING = 8;

/** Rows of any height of which only those in view exist, walked with j and k. */
export function RowList(props: RowListProps) {
  const { label, rowIds, estimateHeight, follow = false, className = "", renderRow, attention, toEndFor } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { follows, atEnd, moved, followAgain } = useFollowEnd(scroller);
  const [activeId, setActiveId] = useState<string>();
  /** Whether the row that wants attention is in view; it stays so for the next one until that is measured. */
  const [inView, setInView] = useState(false);
  // oxlint-disable-next-line react/incompatible-library -- the rows it tells are read here and handed on as plain values
  const rows = useVirtualizer({
    count: rowIds.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(rowIds[index] ?? ""),
    getItemKey: (index) => rowIds[index] ?? index,
    overscan: 10,
    paddingEnd: END_PADDING,
    anchorTo: follow && follows ? "end" : "start",
    followOnAppend: follow && follows,
    scrollEndThreshold: END_THRESHOLD,
    onChange: (instance) => {
      moved(instance.isAtEnd(END_THRESHOLD));
      const row = attention && instance.measurementsCache[rowIds.indexOf(attention.rowId)];
      // A row is dealt with at its lower end.
      const end = (row?.end ?? 0) - (instance.scrollOffset ?? 0);
      setInView(row !== undefined && end > 0 && end <= (instance.scrollRect?.height ?? 0) + END_PADDING);
    },
  });
  const focusRow = useFocusRow(scroller, rowIds, (index) => rows.scrollToIndex(index, { align: "auto" }));
  const jump = () => {
    followAgain();
    rows.scrollToEnd();
  };
  const lead = (rowId: string, politely = true) => {
    const index = rowIds.indexOf(rowId);
    if (index < 0) return;
    if (index === rowIds.length - 1) jump();
    else rows.scrollToIndex(index, { align: "end" });
    if (!politely || isFocusFree()) focusRow(index, politely);
  };
  useRowAttention(attention?.rowId, { follows, inView, lead });
  useToEnd(toEndFor, jump);
  useStartAtEnd(follow, rowIds.length > 0, () => rows.scrollToEnd());

  const firstActive = activeId !== undefined && rowIds.includes(activeId) ? activeId : rowIds.at(follow ? -1 : 0);
  useKeyDown(scroller, (event) => {
    const rowId = event.target instanceof HTMLElement ? event.target.dataset["row"] : undefined;
    if (rowId === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const index = rowIds.indexOf(rowId);
    const next = rowByKey(event.key, index, rowIds.length);
    if (next === undefined || index < 0) return;
    event.preventDefault();
    focusRow(next);
  });
  const onFocus = (event: FocusEvent<HTMLDivElement>) => {
    const row = event.target.dataset["row"];
    if (row !== undefined) setActiveId(row);
  };

  return (
    <>
      <div ref={scroller} className={`chat-scroll ${className}`} onFocus={onFocus}>
        <ul className="chat-canvas" aria-label={label} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const rowId = rowIds[row.index];
            if (rowId === undefined) return null;
            return (
              <li
                key={row.key}
                data-index={row.index}
                ref={rows.measureElement}
                className="chat-item"
                style={{ transform: `translateY(${row.start}px)` }}
                aria-setsize={rowIds.length}
                aria-posinset={row.index + 1}
              >
                {renderRow(rowId, { "data-row": rowId, tabIndex: rowId === firstActive ? 0 : -1 })}
              </li>
            );
          })}
        </ul>
      </div>
      {attention !== undefined && !inView && !follows ? (
        <button type="button" className="chat-jump chat-attention" onClick={() => lead(attention.rowId, false)}>
          <span aria-hidden="true">●</span> {attention.words}
        </button>
      ) : follow && !atEnd ? (
        <button type="button" className="chat-jump" onClick={jump}>
          <ArrowDown size={14} aria-hidden="true" /> Jump to latest
        </button>
      ) : null}
    </>
  );
}

/** Puts the focus on a row that may not exist yet: it is scrolled into view first. */
function useFocusRow(
  scroller: React.RefObject<HTMLDivElement | null>,
  rowIds: readonly string[],
  show: (index: number) => void,
) {
  const wanted = useRef<{ readonly rowId: string; readonly politely: boolean }>(undefined);
  const take = useCallback(() => {
    if (wanted.current === undefined) return;
    const { rowId, politely } = wanted.current;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(rowId)}"]`);
    if (!element) return;
    wanted.current = undefined;
    // By the time the row is there, a person may have begun to type.
    if (!politely || isFocusFree()) element.focus({ preventScroll: true });
  }, [scroller]);
  useEffect(take);
  return (index: number, politely = false) => {
    const rowId = rowIds[index];
    if (rowId === undefined) return;
    wanted.current = { rowId, politely };
    if (!politely) show(index);
    take();
  };
}

function useToEnd(key: string | undefined, toEnd: () => void) {
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    if (key !== undefined) toEnd();
  });
}

function useStartAtEnd(follow: boolean, hasRows: boolean, toEnd: () => void) {
  const started = useRef(false);
  useEffect(() => {
    if (!follow || !hasRows || started.current) return;
    started.current = true;
    toEnd();
  });
}
