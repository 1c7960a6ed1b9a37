import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { createReplayLook, isFiltering } from "../../store";
import { ImportStrip } from "../session/ImportStrip";
import { ModelSawDialog } from "../session/ModelSawDialog";
import { SessionLookProvider, type ForeignLook } from "../session/sessionLookContext";
import { useSessionFiles } from "../session/useSessionFiles";
import { useSessionState } from "../session/useSessionState";
import { useWorkbench } from "../workbenchContext";
import { Columns } from "../widgets/Columns";
import { ReplayBar } from "./ReplayBar";
import { ReplayLookProvider, useReplayLookStore } from "./replayLookContext";
import { ReplayMiddle } from "./ReplayMiddle";
import { ReplaySession } from "./ReplaySession";
import { ReplaySides } from "./ReplaySides";
import { ReplayStart } from "./ReplayStart";
import { ReplayTools } from "./ReplayTools";
import { RunAgainButton } from "./reexecute/RunAgainButton";
import { useHighlights } from "./useHighlights";
import { useReplayKeys } from "./useReplayKeys";
import "../mounts/mounts.css";
import "../session/session.css";
import "./replay.css";

const ReexecuteScreen = lazy(async () => ({ default: (await import("./reexecute/ReexecuteScreen")).ReexecuteScreen }));

/** A saved session at any of its events: the conversation, the tree and every file as they were then. */
export function ReplayScreen() {
  const { replay } = useWorkbench();
  const hasSession = useStore(replay, (state) => state.sessionId !== undefined && state.problem === undefined);
  const isDeleted = useIsDeleted();
  const { dropping, handlers } = useSessionFiles();
  return (
    <div className="replay" {...handlers}>
      <ImportStrip />
      {hasSession && !isDeleted ? <OpenReplay /> : <ReplayStart isDeleted={isDeleted} />}
      {dropping ? <div className="session-drop">Drop to import the session</div> : null}
    </div>
  );
}

/** The log of a session that was deleted stays readable for as long as that can be undone; nobody should go on in it. */
function useIsDeleted(): boolean {
  const { replay } = useWorkbench();
  const sessionId = useStore(replay, (state) => (state.eventCount > 0 ? state.sessionId : undefined));
  const isListed = useSessionState((state) => state.sessions.some(({ id }) => id === sessionId));
  return sessionId !== undefined && !isListed;
}

function OpenReplay() {
  const workbench = useWorkbench();
  const [look] = useState(() => createReplayLook(workbench));
  useEffect(() => look.follow(), [look]);
  return (
    <ReplayLookProvider value={look.store}>
      <ReplayColumns />
    </ReplayLookProvider>
  );
}

const NOT_KEPT = "The files this session began with were not kept: only those it wrote are shown.";
const SHOWN_BY_CALLS = "The recording keeps no files: they are shown as far as its calls tell of them.";

function ReplayColumns() {
  const { replay } = useWorkbench();
  const loading = useStore(replay, (state) => state.loading);
  const indexing = useStore(replay, (state) => state.indexing);
  const isStartKept = useStore(replay, (state) => state.isStartKept);
  const store = useStore(replay, (state) => state.look);
  const mounts = useStore(replay, (state) => state.mounts);
  const look = useMemo((): ForeignLook => ({ store, mounts }), [store, mounts]);
  const sessionId = useStore(replay, (state) => state.sessionId);
  const isImport = useSessionState((state) => state.sessions.some(({ id, imported }) => id === sessionId && imported));
  const [tab, setTab] = useState("session");
  const [runsAgain, setRunsAgain] = useState(false);
  useReplayKeys();
  useHighlights();
  useTabOfSearch(setTab);
  return (
    <SessionLookProvider value={look}>
      <ReplayBar />
      <ReplayTools again={<RunAgainButton isOpen={runsAgain} onToggle={() => setRunsAgain((before) => !before)} />} />
      {loading === undefined ? null : (
        <p className="replay-note muted">{`Reading the session: ${loading.events.toLocaleString("en")} events so far…`}</p>
      )}
      {indexing === undefined ? null : (
        <p className="replay-note replay-indexing muted">
          {`A long session: its end is shown while the rest is read, ${indexing.events.toLocaleString("en")} of ${indexing.ofEvents.toLocaleString("en")} events so far…`}
        </p>
      )}
      {isStartKept || loading !== undefined ? null : (
        <p className="replay-note replay-warning">
          <span className="warn">●</span> {isImport ? SHOWN_BY_CALLS : NOT_KEPT}
        </p>
      )}
      {runsAgain && sessionId !== undefined ? (
        <Suspense fallback={<p className="replay-note dim">…</p>}>
          <ReexecuteScreen sessionId={sessionId} onClose={() => setRunsAgain(false)} />
        </Suspense>
      ) : (
        <div className="replay-columns">
          <Columns
            id="replay"
            tab={tab}
            onTabChange={setTab}
            columns={[
              {
                id: "sides",
                title: "Steps and files",
                content: <ReplaySides />,
                defaultWidth: 300,
                minWidth: 200,
                collapsible: true,
              },
              { id: "middle", title: "File", content: <ReplayMiddle />, minWidth: 240, collapsible: true },
              {
                id: "session",
                title: "Session",
                content: <ReplaySession />,
                defaultWidth: 476,
                minWidth: 320,
                collapsible: true,
              },
            ]}
          />
        </div>
      )}
      <ModelSawDialog />
    </SessionLookProvider>
  );
}

/** Where the columns are tabs, a search shows its hits, a hit where it stands, and a filter what it lets through. */
function useTabOfSearch(setTab: (tab: string) => void): void {
  const look = useReplayLookStore();
  useEffect(
    () =>
      look.subscribe((state, before) => {
        const isSearched = state.words !== before.words && state.words !== "";
        if (isSearched || (state.filter !== before.filter && isFiltering(state.filter))) setTab("sides");
        else if (state.hitAt !== before.hitAt && state.hitAt >= 0) setTab("middle");
      }),
    [look, setTab],
  );
}
