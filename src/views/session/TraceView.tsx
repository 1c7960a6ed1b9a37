import { memo, useCallback, useMemo } from "react";
import { axisTicks, traceRows, type TraceRow } from "../../store";
import { EmptyState } from "../widgets/EmptyState";
import { CallDetails } from "./CallDetails";
import { durationText } from "./durationText";
import { RowList, type RowFocus } from "./RowList";
import { useCallItem, useSessionLook } from "./useSessionState";

const ROW_HEIGHT = 26;

/** Turns, steps and calls as bars over the time they took; what passed between two turns is told, not drawn. */
export function TraceView() {
  const session = useSessionLook((state) => state.session);
  const trace = useMemo(() => traceRows(session), [session]);
  const byId = useMemo(() => new Map(trace.rows.map((row) => [row.id, row])), [trace]);
  const rowIds = useMemo(() => trace.rows.map((row) => row.id), [trace]);
  const renderRow = useCallback(
    (rowId: string, focus: RowFocus) => {
      const row = byId.get(rowId);
      if (row === undefined) return null;
      if (row.kind === "gap") return <Gap row={row} spanMs={trace.spanMs} focus={focus} />;
      return <Bar row={row} spanMs={trace.spanMs} focusable={focus.tabIndex} />;
    },
    [byId, trace.spanMs],
  );
  const estimateHeight = useCallback(() => ROW_HEIGHT, []);
  if (trace.rows.length === 0)
    return <EmptyState text="Steps and calls appear here as bars over time once something ran." />;
  return (
    <div className="trace">
      <div className="trace-scale" aria-hidden="true">
        <span>{`${trace.steps} steps, ${trace.calls} calls${trace.stubbed > 0 ? `, ${trace.stubbed} not done` : ""}`}</span>
        <div className="trace-ticks">
          {axisTicks(trace.spanMs).map((tickMs) => (
            <i key={tickMs} style={{ left: `${(tickMs / trace.spanMs) * 100}%` }}>
              {tickMs === 0 ? "0" : durationText(tickMs)}
            </i>
          ))}
        </div>
      </div>
      <RowList
        label="Steps and calls over time"
        rowIds={rowIds}
        estimateHeight={estimateHeight}
        renderRow={renderRow}
      />
    </div>
  );
}

interface BarProps {
  readonly row: TraceRow;
  readonly spanMs: number;
  readonly focusable: RowFocus["tabIndex"];
}

const Bar = memo(function Bar({ row, spanMs, focusable }: BarProps) {
  const open = useSessionLook((state) => state.openIds.has(`trace:${row.id}`));
  const toggle = useSessionLook((state) => state.toggle);
  const showRequest = useSessionLook((state) => state.showRequest);
  const act = () => (row.kind === "step" ? showRequest(row.id) : toggle(`trace:${row.id}`));
  // Of a path, its end tells most.
  const isPath = row.kind === "call" && row.about?.startsWith("/") === true;
  const left = spanMs === 0 ? 0 : (row.startMs / spanMs) * 100;
  const width = spanMs === 0 ? 0 : ((row.lengthMs ?? spanMs - row.startMs) / spanMs) * 100;
  return (
    <>
      <button
        type="button"
        className={`trace-row trace-${row.kind}`}
        data-row={row.id}
        tabIndex={focusable}
        onClick={act}
        {...(row.kind === "call" ? { "aria-expanded": open } : {})}
        title={row.kind === "step" ? "Opens what the model saw" : undefined}
      >
        <span className="trace-label">
          <span className={`call-sign ${row.tone}`}>
            <span aria-hidden="true">{row.sign}</span>
            <span className="visually-hidden">{row.word}</span>
          </span>
          <span className={isPath ? "trace-name" : "truncate"}>
            {row.label} {row.about === undefined || isPath ? null : <span className="mono dim">{row.about}</span>}
          </span>
          {row.about === undefined || !isPath ? null : (
            <span className="trace-path mono dim" title={row.about}>
              <bdi dir="ltr">{row.about}</bdi>
            </span>
          )}
        </span>
        <span className="trace-lane">
          <span className="visually-hidden">{`begins at ${durationText(row.startMs)},`}</span>
          <span className={`trace-bar ${row.kind} ${row.bar}`} style={{ left: `${left}%`, width: `${width}%` }} />
        </span>
        <span className="trace-time">{row.durationMs === undefined ? row.word : durationText(row.durationMs)}</span>
      </button>
      {open && row.kind === "call" ? <OpenCall id={row.id} /> : null}
    </>
  );
});

interface GapProps {
  readonly row: TraceRow;
  readonly spanMs: number;
  readonly focus: RowFocus;
}

/** Nothing ran between two turns: how long, as words on a line across the scale. */
function Gap({ row, spanMs, focus }: GapProps) {
  return (
    <div className="trace-row trace-gap" role="note" {...focus}>
      <span className="trace-label dim">{`waited ${durationText(row.durationMs)}`}</span>
      <span className="trace-lane" aria-hidden="true">
        <span className="trace-cut" style={{ left: `${(row.startMs / spanMs) * 100}%` }} />
      </span>
    </div>
  );
}

function OpenCall({ id }: { readonly id: string }) {
  const item = useCallItem(id);
  return item === undefined ? null : <CallDetails item={item} />;
}
