import { Fragment, useState, useSyncExternalStore, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { browserMemory } from "./browserMemory";
import { SegmentedControl } from "./SegmentedControl";

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
  /** In px, before the person has chosen; absent: what the others leave. */
  readonly defaultWidth?: number;
  /** In px. */
  readonly minWidth: number;
  /** Drawn smaller than its least width, it folds away; its edge stays to draw it out again. */
  readonly collapsible?: boolean;
}

export interface ColumnsProps {
  /** Sizes are remembered by this name. */
  readonly id: string;
  readonly columns: readonly Column[];
  /** The tab shown first on a narrow screen. */
  readonly firstTab: string;
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
  return narrow ? <ColumnTabs {...props} /> : <ColumnGroup {...props} />;
}

function ColumnTabs({ columns, firstTab }: ColumnsProps) {
  const [chosen, setChosen] = useState(firstTab);
  const shown = columns.find((column) => column.id === chosen) ?? columns[0];
  return (
    <div className="column-tabs">
      <div className="column-tab-bar">
        <SegmentedControl
          label="Column"
          segments={columns.map((column) => ({ value: column.id, label: column.title }))}
          value={shown?.id ?? ""}
          onChange={setChosen}
        />
      </div>
      <section className="column" aria-label={shown?.title}>
        {shown?.content}
      </section>
    </div>
  );
}

const layoutStorage = {
  getItem: (key: string) => browserMemory.get(key) ?? null,
  setItem: (key: string, value: string) => browserMemory.set(key, value),
};

function ColumnGroup({ id, columns }: ColumnsProps) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id: `columns-${id}`, storage: layoutStorage });
  return (
    <Group className="columns" {...(defaultLayout ? { defaultLayout } : {})} onLayoutChanged={onLayoutChanged}>
      {columns.map((column, index) => (
        <Fragment key={column.id}>
          {index > 0 ? (
            <Separator className="column-edge" aria-label={`Width of ${columns[index - 1]?.title ?? ""}`} />
          ) : null}
          <Panel
            id={column.id}
            minSize={column.minWidth}
            collapsible={column.collapsible ?? false}
            {...(column.defaultWidth === undefined ? {} : { defaultSize: column.defaultWidth })}
          >
            <section className="column" aria-label={column.title}>
              {column.content}
            </section>
          </Panel>
        </Fragment>
      ))}
    </Group>
  );
}
