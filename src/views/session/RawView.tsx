import { memo, useCallback, useMemo, useState } from "react";
import type { SessionEvent } from "../../session";
import { EmptyState } from "../widgets/EmptyState";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { RowList, type RowFocus } from "./RowList";
import { useSessionLook } from "./useSessionState";

const ROW_HEIGHT = 24;
const PREVIEW_CHARACTERS = 160;
/** Where an event belongs, told by its neighbours already. */
const PLACE_FIELDS = new Set(["turnId", "sequence", "stepIndex"]);
const ALL = "";

/** The log itself, an event a line, as it is saved. */
export function RawView() {
  const count = useSessionLook((state) => state.session.eventCount);
  const events = useSessionLook((state) => state.events);
  const from = useSessionLook((state) => state.firstEvent());
  const [type, setType] = useState(ALL);
  const types = useMemo(() => countTypes(events(), from, count), [events, from, count]);
  const rowIds = useMemo(() => idsOfType(events(), from, count, type), [events, from, count, type]);
  const renderRow = useCallback(
    (rowId: string, focus: RowFocus) => {
      const event = events()[Number(rowId)];
      return event === undefined ? null : <EventLine event={event} index={Number(rowId)} focusable={focus.tabIndex} />;
    },
    [events],
  );
  const estimateHeight = useCallback(() => ROW_HEIGHT, []);
  if (count === 0) return <EmptyState text="Every event of the session is a line here, exactly as it is saved." />;
  return (
    <div className="raw">
      <div className="raw-tools">
        <label className="muted" htmlFor="raw-type">
          Type
        </label>
        <select id="raw-type" value={type} onChange={(event) => setType(event.target.value)}>
          <option value={ALL}>{`all, ${count - from} events`}</option>
          {types.map(([name, typeCount]) => (
            <option key={name} value={name}>{`${name}, ${typeCount}`}</option>
          ))}
        </select>
        <span className="push-right">
          <CopyButton
            what="the events shown, as lines of JSON"
            text={() => rowIds.map((rowId) => JSON.stringify(events()[Number(rowId)])).join("\n")}
          />
        </span>
      </div>
      <RowList label="Events" rowIds={rowIds} estimateHeight={estimateHeight} follow renderRow={renderRow} />
    </div>
  );
}

interface EventLineProps {
  readonly event: SessionEvent;
  readonly index: number;
  readonly focusable: RowFocus["tabIndex"];
}

const EventLine = memo(function EventLine({ event, index, focusable }: EventLineProps) {
  const id = `event:${index}`;
  const open = useSessionLook((state) => state.openIds.has(id));
  const toggle = useSessionLook((state) => state.toggle);
  return (
    <div className="raw-row">
      <button
        type="button"
        className="raw-head"
        aria-expanded={open}
        onClick={() => toggle(id)}
        data-row={String(index)}
        tabIndex={focusable}
      >
        <span className="raw-index">{index + 1}</span>
        <span className="dim">{event.meta.at.slice(11, 23)}</span>
        <span className="truncate">{event.type}</span>
        <span className="truncate dim">{preview(event)}</span>
      </button>
      {open ? <EventJson event={event} /> : null}
    </div>
  );
});

function EventJson({ event }: { readonly event: SessionEvent }) {
  const text = JSON.stringify(event, undefined, 2);
  return (
    <div className="raw-json">
      <CopyButton what="the event" text={() => text} />
      <LongText text={text} />
    </div>
  );
}

/** The beginning of an event's data; large values are not turned into text for a line nobody can read. */
function preview(event: SessionEvent): string {
  let left = PREVIEW_CHARACTERS;
  const parts: string[] = [];
  for (const [name, value] of Object.entries(event.data)) {
    if (left <= 0) break;
    if (PLACE_FIELDS.has(name)) continue;
    const text = typeof value === "string" ? JSON.stringify(value.slice(0, left)) : shortJson(value);
    parts.push(`${name}: ${text}`);
    left -= text.length;
  }
  return parts.join("  ");
}

function shortJson(value: unknown): string {
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.length}]`;
  return `{ ${Object.keys(value).slice(0, 6).join(", ")} }`;
}

function countTypes(
  events: readonly SessionEvent[],
  from: number,
  count: number,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (let index = from; index < count; index++) {
    const type = events[index]?.type;
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function idsOfType(events: readonly SessionEvent[], from: number, count: number, type: string): readonly string[] {
  const ids: string[] = [];
  for (let index = from; index < count; index++)
    if (type === ALL || events[index]?.type === type) ids.push(String(index));
  return ids;
}
