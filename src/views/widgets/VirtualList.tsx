import { useVirtualizer } from "@tanstack/react-virtual";
import { useImperativeHandle, useRef, type HTMLAttributes, type ReactNode, type Ref } from "react";

export interface VirtualListHandle {
  /** Scrolls no farther than needed. */
  showRow(index: number): void;
  focus(): void;
}

export interface VirtualListProps extends Omit<HTMLAttributes<HTMLDivElement>, "children"> {
  readonly count: number;
  /** In px: exact when `measured` is off, a first guess when it is on. */
  readonly rowHeight: number | ((index: number) => number);
  /** Rows tell their own height, which may change. */
  readonly measured?: boolean;
  readonly rowKey: (index: number) => string;
  readonly children: (index: number) => ReactNode;
  readonly ref?: Ref<VirtualListHandle>;
}

/** A long list of which only the rows in view exist. The element that scrolls takes all further attributes. */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, measured = false, rowKey, children, ref, className = "", ...rest } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes here; the virtualizer redraws by itself
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: typeof rowHeight === "number" ? () => rowHeight : rowHeight,
    getItemKey: rowKey,
    overscan: 12,
  });
  useImperativeHandle(ref, () => ({
    showRow: (index) => rows.scrollToIndex(index),
    focus: () => scroller.current?.focus(),
  }));
  return (
    <div ref={scroller} className={`virtual-list scroll ${className}`} {...rest}>
      <div role="presentation" style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            role="presentation"
            data-index={row.index}
            ref={measured ? rows.measureElement : undefined}
            className="virtual-row"
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {children(row.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
