import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { axisTicks, waterfall, type Waterfall, type WaterfallRow } from "../../store";
import { durationText } from "../session/durationText";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { EmptyState } from "../widgets/EmptyState";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";
import { useReplayLook, useReplayLookStore } from "./replayLookContext";
import "../session/trace.css";

const ROW_HEIGHT = 26;

/** The whole session over time: turns, steps and calls as bars, subagents as lanes, a line where the replay stands. */
export function WaterfallView() {
  const { replay } = useWorkbench();
  const look = useReplayLookStore();
  const nodes = useReplayLook((state) => state.nodes);
  const firstMs = useReplayLook((state) => state.firstMs);
  const children = useReplayLook((state) => state.family.children.length);
  const isReading = useReplayLook((state) => state.isReading);
  const totalMs = useStore(replay, (state) => state.totalMs);
  const shown = useMemo(() => waterfall(nodes, { startMs: firstMs, totalMs }), [nodes, firstMs, totalMs]);
  const { rows, span, originMs } = shown;
  const index = useStore(replay, (state) => state.index);
  const elapsedMs = useStore(replay, (state) => state.elapsedMs);
  const now = originMs === undefined ? Math.max(0, index) : elapsedMs + Math.max(0, (firstMs ?? originMs) - originMs);
  const current = currentRow(rows, index);
  const list = useRef<VirtualListHandle>(null);
  // Those of a session are known once it is read, which may be after this is shown.
  useEffect(() => {
    if (!isReading && children > 0) void look.getState().readSubagents();
  }, [look, children, isReading]);
  useEffect(() => {
    if (current >= 0) list.current?.showRow(current);
  }, [current]);
  if (rows.length === 0) return <EmptyState text="Steps and calls appear here as bars over time once something ran." />;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    // Rows of other sessions, and those that lead no farther, are passed.
    const row =
      next > 0
        ? rows.find((one, at) => at > current && one.sessionId === undefined && one.target > index)
        : rows.findLast((one, at) => at < current && one.sessionId === undefined && one.target < index);
    if (row !== undefined) look.getState().goTo({ index: row.target });
  };
  return (
    <div className="trace waterfall">
      <Axis shown={shown} />
      <VirtualList
        ref={list}
        className="waterfall-rows"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no bars
        role="listbox"
        aria-label="The session over time"
        tabIndex={0}
        aria-activedescendant={current >= 0 ? `waterfall-${current}` : undefined}
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        rowKey={(at) => rows[at]?.id ?? String(at)}
        onKeyDown={onKeyDown}
      >
        {(at) => {
          const row = rows[at];
          if (row === undefined) return null;
          return (
            <Bar
              row={row}
              at={at}
              span={span}
              now={now}
              isCurrent={at === current}
              isByOrder={shown.isByOrder}
              onChoose={() =>
                look.getState().goTo({ sessionId: row.sessionId, index: row.kind === "lane" ? 0 : row.target })
              }
            />
          );
        }}
      </VirtualList>
    </div>
  );
}

/** The call an event is the result of, else what began last. */
function currentRow(rows: readonly WaterfallRow[], index: number): number {
  const own = (row: WaterfallRow) => row.sessionId === undefined;
  const call = rows.findIndex((row) => own(row) && row.kind === "call" && row.target === index);
  return call >= 0 ? call : rows.findLastIndex((row) => own(row) && row.index <= index);
}

function Axis({ shown: { rows, span, isByOrder, lanes } }: { readonly shown: Waterfall }) {
  const calls = rows.filter(({ kind }) => kind === "call").length;
  const steps = rows.filter(({ kind }) => kind === "step").length;
  const words = [
    countText(steps, "step"),
    countText(calls, "call"),
    ...(lanes > 0 ? [countText(lanes, "subagent")] : []),
  ];
  return (
    <>
      {isByOrder ? (
        <p className="replay-note small muted">
          Times missing: bars stand in the order of events, one mark is one event.
        </p>
      ) : null}
      <div className="trace-scale">
        <span className="truncate">{words.join(", ")}</span>
        <div className="trace-ticks" aria-hidden="true">
          {axisTicks(span).map((tick) => (
            <i key={tick} style={{ left: `${(tick / span) * 100}%` }}>
              {tick === 0 ? "0" : isByOrder ? String(tick) : durationText(tick)}
            </i>
          ))}
        </div>
      </div>
    </>
  );
}

interface BarProps {
  readonly row: WaterfallRow;
  readonly at: number;
  readonly span: number;
  /** Where the replay stands, on the scale. */
  readonly now: number;
  readonly isCurrent: boolean;
  readonly isByOrder: boolean;
  readonly onChoose: () => void;
}

function Bar({ row, at, span, now, isCurrent, isByOrder, onChoose }: BarProps) {
  const percent = (value: number) => `${Math.min(100, (value / span) * 100)}%`;
  const time = row.durationMs === undefined ? "" : durationText(row.durationMs);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list itself has the keys
    <div
      id={`waterfall-${at}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no bars
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={`trace-row waterfall-${row.kind}`}
      title={row.about === "" ? undefined : row.about}
      onClick={onChoose}
    >
      <span className="trace-label" style={{ paddingLeft: 12 + Math.min(row.depth, 8) * 12 }}>
        {row.isFailed ? (
          <span className="bad">
            <span aria-hidden="true">✕</span>
            <span className="visually-hidden">failed</span>
          </span>
        ) : null}
        <span className="trace-name">{row.label}</span>
        <span className="truncate dim">{row.about}</span>
      </span>
      <span className="trace-lane">
        <span
          className={`trace-bar ${row.kind} ${row.isFailed ? "failed" : ""}`}
          style={{ left: `min(${percent(row.start)}, 100% - 3px)`, width: percent(row.length) }}
        />
        <span className="trace-now" style={{ left: percent(now) }} aria-hidden="true" />
      </span>
      <span className="trace-time">{isByOrder ? `event ${row.index + 1}` : time}</span>
    </div>
  );
}
