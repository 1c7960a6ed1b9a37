import { useStore } from "zustand";
import { sessionViews, SessionViews } from "../session/SessionViews";
import { useSessionLook } from "../session/useSessionState";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { PanelHeader } from "../widgets/PanelHeader";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { useReplayLook } from "./replayLookContext";
import { WaterfallView } from "./WaterfallView";

/** The session as it was at this point; over time, all of it. */
export function ReplaySession() {
  const view = useReplayLook((state) => state.sessionView);
  const setView = useReplayLook((state) => state.setSessionView);
  return (
    <div className="session">
      <PanelHeader title="Session" detail={<Counts />}>
        <SegmentedControl
          label="View of the session"
          segments={sessionViews}
          value={view}
          onChange={setView}
          size="small"
        />
      </PanelHeader>
      <EarlierEvents />
      <div className="session-body">
        {view === "trace" ? (
          <WaterfallView />
        ) : (
          <SessionViews view={view} empty={<p className="chat-notice">Nothing has been said yet at this point.</p>} />
        )}
      </div>
    </div>
  );
}

/** Of a long session a stretch is held: what came before it is a step away, or a place of the timeline. */
function EarlierEvents() {
  const { replay } = useWorkbench();
  const windowStart = useStore(replay, (state) => state.windowStart);
  if (windowStart === 0) return null;
  return (
    <p className="replay-note muted">
      {`${countText(windowStart, "earlier event")} not shown here. `}
      <button
        type="button"
        className="button button-plain button-small"
        onClick={() => replay.getState().showEarlier()}
      >
        Show more
      </button>
    </p>
  );
}

/** Without a time: the bar above tells it, and the time a session ran in is another one. */
function Counts() {
  const { calls, failed, rejected } = useSessionLook((look) => look.session.counts);
  const bad = failed + rejected;
  return `at this point: ${countText(calls, "call")}${bad > 0 ? `, ${bad} failed` : ""}`;
}
