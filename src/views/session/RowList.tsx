import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type FocusEvent, type ReactNode } from "react";
import { useFollowEnd } from "./useFollowEnd";
import { useKeyDown } from "./useKeyDown";

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
  readonly className?: string;
  readonly renderRow: (rowId: string, focus: RowFocus) => ReactNode;
}

/** Nearer to the end than this, in px, counts as being there. */
const END_THRESHOLD = 32;

/** Room below the last row, in px. */
const END_PADDING = 8;

/** Rows of any height of which only those in view exist, walked with j and k. */
export function RowList(props: RowListProps) {
  const { label, rowIds, estimateHeight, follow = false, className = "", renderRow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { follows, atEnd, moved, followAgain } = useFollowEnd(scroller);
  const [activeId, setActiveId] = useState<string>();
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
    onChange: (instance) => moved(instance.isAtEnd(END_THRESHOLD)),
  });
  const focusRow = useFocusRow(scroller, rowIds, (index) => rows.scrollToIndex(index, { align: "auto" }));
  useStartAtEnd(follow, rowIds.length > 0, () => rows.scrollToEnd());

  const firstActive = activeId !== undefined && rowIds.includes(activeId) ? activeId : rowIds.at(follow ? -1 : 0);
  useKeyDown(scroller, (event) => {
    const rowId = event.target instanceof HTMLElement ? event.target.dataset["row"] : undefined;
    if (rowId === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const index = rowIds.indexOf(rowId);
    const next = {
      j: index + 1,
      ArrowDown: index + 1,
      k: index - 1,
      ArrowUp: index - 1,
      Home: 0,
      End: rowIds.length - 1,
    }[event.key];
    if (next === undefined || index < 0) return;
    event.preventDefault();
    focusRow(Math.max(0, Math.min(rowIds.length - 1, next)));
  });
  const onFocus = (event: FocusEvent<HTMLDivElement>) => {
    const row = event.target.dataset["row"];
    if (row !== undefined) setActiveId(row);
  };

  const jump = () => {
    followAgain();
    rows.scrollToEnd();
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
      {follow && !atEnd ? (
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
  const wanted = useRef<string>(undefined);
  const take = useCallback(() => {
    if (wanted.current === undefined) return;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.current)}"]`);
    if (!element) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
  }, [scroller]);
  useEffect(take);
  return (index: number) => {
    wanted.current = rowIds[index];
    show(index);
    take();
  };
}

function useStartAtEnd(follow: boolean, hasRows: boolean, toEnd: () => void) {
  const started = useRef(false);
  useEffect(() => {
    if (!follow || !hasRows || started.current) return;
    started.current = true;
    toEnd();
  });
}
