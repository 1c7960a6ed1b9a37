import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
  type UIEvent,
} from "react";

export interface VirtualListHandle {
  /** Scrolls no farther than needed. */
  showRow(index: number): void;
  focus(): void;
}

export interface VirtualListProps extends Omit<HTMLAttributes<HTMLDivElement>, "children"> {
  readonly count: number;
  /** In px, the same for every row. */
  readonly rowHeight: number;
  readonly rowKey: (index: number) => string;
  readonly children: (index: number) => ReactNode;
  readonly ref?: Ref<VirtualListHandle>;
}

/** Rows drawn above and below those in view: a person who scrolls sees no gap before more are drawn. */
const OVERSCAN_ROWS = 16;

/**
 * A long list of rows of one height, of which only those in view exist: what a row costs does not grow with their number.
 * The element that scrolls takes all further attributes. Browsers lay out about 33 million px, a million rows.
 */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, rowKey, children, ref, className = "", onScroll, ...rest } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end, follow } = useDrawnRows(scroller, rowHeight);
  useImperativeHandle(ref, () => ({
    showRow(index) {
      const element = scroller.current;
      if (!element) return;
      const top = index * rowHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + element.clientHeight)
        element.scrollTop = top + rowHeight - element.clientHeight;
      follow();
    },
    focus: () => scroller.current?.focus(),
  }));
  const drawn = Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, index) => first + index);
  return (
    <div
      ref={scroller}
      className={`virtual-list scroll ${className}`}
      {...rest}
      onScroll={(event: UIEvent<HTMLDivElement>) => {
        follow();
        onScroll?.(event);
      }}
    >
      <div role="presentation" style={{ height: count * rowHeight, position: "relative" }}>
        {drawn.map((index) => (
          <div
            key={rowKey(index)}
            role="presentation"
            data-index={index}
            className="virtual-row"
            style={{ transform: `translateY(${index * rowHeight}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The rows to draw, which change only when those in view reach past them. */
function useDrawnRows(scroller: RefObject<HTMLDivElement | null>, rowHeight: number) {
  const [rows, setRows] = useState({ first: 0, end: OVERSCAN_ROWS });
  const follow = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const first = Math.floor(element.scrollTop / rowHeight);
    const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight);
    setRows((drawn) =>
      (drawn.first <= first || drawn.first === 0) && drawn.end >= end && drawn.end - end <= 3 * OVERSCAN_ROWS
        ? drawn
        : { first: Math.max(0, first - OVERSCAN_ROWS), end: end + OVERSCAN_ROWS },
    );
  }, [scroller, rowHeight]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // It also calls once when it begins, before anything is painted.
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, follow]);
  return { ...rows, follow };
}
