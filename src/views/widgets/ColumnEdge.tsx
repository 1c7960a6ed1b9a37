import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Column } from "./column";

export interface ColumnEdgeProps {
  readonly before: Column;
  readonly after: Column;
  /** Which of the two takes a width when the edge moves. */
  readonly sized: "before" | "after";
  /** In px as they stand; absent where it is what the others leave. */
  readonly widths: readonly [before: number | undefined, after: number | undefined];
  /** 0 folds the column away. */
  readonly onWidth: (columnId: string, width: number) => void;
}

/** Px an arrow key moves the edge. */
const STEP = 24;

/** The edge between two columns: dragged, moved by arrows, and folded or unfolded by Enter or a double click. */
export function ColumnEdge({ before, after, sized, widths, onWidth }: ColumnEdgeProps) {
  const edge = useRef<HTMLDivElement>(null);
  const column = sized === "before" ? before : after;
  const known = widths[sized === "before" ? 0 : 1] ?? column.minWidth;
  const towards = sized === "before" ? 1 : -1;

  const element = () => edge.current?.parentElement?.querySelector<HTMLElement>(`[data-column="${column.id}"]`);
  const width = () => element()?.getBoundingClientRect().width ?? 0;
  const set = (wanted: number) => {
    const folds = column.collapsible && wanted < column.minWidth * 0.6;
    onWidth(column.id, folds ? 0 : Math.round(Math.max(column.minWidth, Math.min(wanted, widest(edge.current)))));
  };
  const toggle = () => {
    if (!column.collapsible) return;
    onWidth(column.id, width() === 0 ? (column.defaultWidth ?? column.minWidth) : 0);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, width: width() };
    const target = event.currentTarget;
    const onMove = (move: globalThis.PointerEvent) => set(from.width + (move.clientX - from.x) * towards);
    target.addEventListener("pointermove", onMove);
    target.addEventListener("lostpointercapture", () => target.removeEventListener("pointermove", onMove), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key];
    if (step !== undefined) set(width() === 0 && step * towards > 0 ? column.minWidth : width() + step * towards);
    else if (event.key === "Enter") toggle();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={edge}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule of text takes no focus and no keys
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${column.title}`}
      aria-valuenow={known}
      aria-valuemin={column.collapsible ? 0 : column.minWidth}
      aria-valuemax={4096}
      className="column-edge"
      title="Drag, or arrow keys; Enter folds"
      onPointerDown={onPointerDown}
      onDoubleClick={toggle}
      onKeyDown={onKeyDown}
    />
  );
}

/** A column leaves the others a quarter of the row at least. */
function widest(edge: HTMLElement | null): number {
  return (edge?.parentElement?.clientWidth ?? 0) * 0.75;
}
