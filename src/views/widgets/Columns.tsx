import { Fragment, useState, useSyncExternalStore } from "react";
import { browserMemory } from "./browserMemory";
import type { Column } from "./column";
import { ColumnEdge } from "./ColumnEdge";
import { SegmentedControl } from "./SegmentedControl";

export interface ColumnsProps {
  /** Widths are remembered by this name. */
  readonly id: string;
  readonly columns: readonly Column[];
  /** The tab shown on a narrow screen, where the columns are tabs. */
  readonly tab: string;
  readonly onTabChange: (id: string) => void;
}

/** Below this width, in px, columns are tabs. */
const NARROW_WIDTH = 900;

function subscribeToWidth(listener: () => void): () => void {
  const query = matchMedia(`(max-width: ${NARROW_WIDTH - 0.02}px)`);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

function isNarrow(): boolean {
  return matchMedia(`(max-width: ${NARROW_WIDTH - 0.02}px)`).matches;
}

/** Columns side by side, their edges to be dragged; tabs on a narrow screen. */
export function Columns(props: ColumnsProps) {
  const narrow = useSyncExternalStore(subscribeToWidth, isNarrow);
  return narrow ? <ColumnTabs {...props} /> : <ColumnRow {...props} />;
}

function ColumnTabs({ columns, tab, onTabChange }: ColumnsProps) {
  const shown = columns.find((column) => column.id === tab) ?? columns[0];
  return (
    <div className="column-tabs">
      <div className="column-tab-bar">
        <SegmentedControl
          label="Column"
          segments={columns.map((column) => ({ value: column.id, label: column.title }))}
          value={shown?.id ?? ""}
          onChange={onTabChange}
        />
      </div>
      <section className="column" aria-label={shown?.title}>
        {shown?.content}
      </section>
    </div>
  );
}

/** Widths in px of the columns a person has drawn; 0 is folded away. */
type Widths = Readonly<Record<string, number>>;

function ColumnRow({ id, columns }: ColumnsProps) {
  const [widths, setWidths] = useRememberedWidths(id);
  const widthOf = (column: Column): number | undefined => widths[column.id] ?? column.defaultWidth;
  const tracks = columns.map((column, index) => {
    const width = widthOf(column);
    const track =
      width === 0
        ? "0"
        : width === undefined
          ? `minmax(${column.minWidth}px, 1fr)`
          : `minmax(${column.minWidth}px, ${width}px)`;
    return index === 0 ? track : `1px ${track}`;
  });
  // Somebody must take what is left.
  const isFull = columns.some((column) => widthOf(column) === undefined);
  if (!isFull) tracks[tracks.length - 1] = tracks.at(-1)?.replace(/\d+px\)$/, "1fr)") ?? "";
  return (
    <div className="columns" style={{ gridTemplateColumns: tracks.join(" ") }}>
      {columns.map((column, index) => {
        const before = columns[index - 1];
        return (
          <Fragment key={column.id}>
            {before ? (
              <ColumnEdge
                before={before}
                after={column}
                // The one that has a width changes; what is left goes to the other.
                sized={widthOf(before) === undefined && widthOf(column) !== undefined ? "after" : "before"}
                widths={[widthOf(before), widthOf(column)]}
                onWidth={(changed, width) => setWidths({ ...widths, [changed]: width })}
              />
            ) : null}
            <section
              className="column"
              aria-label={column.title}
              hidden={widthOf(column) === 0}
              data-column={column.id}
            >
              {column.content}
            </section>
            {widthOf(column) === 0 ? <span /> : null}
          </Fragment>
        );
      })}
    </div>
  );
}

function useRememberedWidths(id: string): readonly [Widths, (widths: Widths) => void] {
  const key = `columns-${id}`;
  const [widths, setWidths] = useState<Widths>(() => widthsFromText(browserMemory.get(key)));
  return [
    widths,
    (next) => {
      browserMemory.set(key, JSON.stringify(next));
      setWidths(next);
    },
  ];
}

function widthsFromText(text: string | undefined): Widths {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (value === null || typeof value !== "object") return {};
    return Object.fromEntries(Object.entries(value).filter(([, width]) => typeof width === "number" && width >= 0));
  } catch {
    return {};
  }
}
