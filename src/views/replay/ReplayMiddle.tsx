import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { EventView } from "./EventView";
import { FileAtPoint } from "./FileAtPoint";
import { OriginalView } from "./OriginalView";
import { Provenance } from "./Provenance";
import { useReplayLook } from "./replayLookContext";
import { useSessionState } from "../session/useSessionState";

const VIEWS = [
  { value: "file", label: "File" },
  { value: "event", label: "Event" },
  { value: "about", label: "About" },
] as const;

/** Of an import, what stands in its file can be seen too. */
const IMPORT_VIEWS = [VIEWS[0], VIEWS[1], { value: "original", label: "Original" }, VIEWS[2]] as const;

/** The chosen file at this point, the event itself, or where the session comes from. */
export function ReplayMiddle() {
  const sessionId = useStore(useWorkbench().replay, (state) => state.sessionId);
  const isImport = useSessionState((state) => state.sessions.some(({ id, imported }) => id === sessionId && imported));
  const chosen = useReplayLook((state) => state.middle);
  const setView = useReplayLook((state) => state.setMiddle);
  const view = chosen === "original" && !isImport ? "event" : chosen;
  return (
    <div className="replay-middle">
      <div className="panel-header">
        <h2 className="visually-hidden">At this point</h2>
        {view === "file" ? <FileTitle /> : null}
        {view === "event" || view === "original" ? <EventTitle /> : null}
        {view === "about" ? <span className="panel-title">Where this session comes from</span> : null}
        <div className="panel-controls">
          <SegmentedControl
            label="What is shown"
            segments={isImport ? IMPORT_VIEWS : VIEWS}
            value={view}
            onChange={setView}
            size="small"
          />
        </div>
      </div>
      {view === "file" ? <FileAtPoint /> : null}
      {view === "event" ? <EventView /> : null}
      {view === "original" ? <OriginalView /> : null}
      {view === "about" ? <Provenance /> : null}
    </div>
  );
}

const CHANGE_WORDS = {
  added: { word: "added", tone: "ok" },
  modified: { word: "modified", tone: "warn" },
  deleted: { word: "deleted", tone: "bad" },
} as const;

function FileTitle() {
  const { replay } = useWorkbench();
  const path = useStore(replay, (state) => state.selected);
  const change = useStore(replay, (state) => state.changes.kindAt(state.selected ?? "/"));
  if (path === undefined) return <span className="panel-title">No file chosen</span>;
  return (
    <>
      <span className="mono truncate">{path}</span>
      {change === undefined ? null : (
        <span className={`small ${CHANGE_WORDS[change].tone}`}>{`${CHANGE_WORDS[change].word} since the start`}</span>
      )}
    </>
  );
}

function EventTitle() {
  const { replay } = useWorkbench();
  const index = useStore(replay, (state) => state.index);
  const event = useStore(replay, (state) => state.event);
  return (
    <>
      <span className="mono truncate">{event?.type ?? "before the first event"}</span>
      {event === undefined ? null : (
        <span className="dim small numeric truncate">{`event ${index + 1} · ${event.meta.time === "missing" ? "time missing" : `${event.meta.at.slice(11, 23)} UTC`}`}</span>
      )}
    </>
  );
}
