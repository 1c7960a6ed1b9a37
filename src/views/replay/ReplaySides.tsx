import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { ChevronsDownUp, ChevronsUpDown } from "lucide-react";
import { IconButton } from "../widgets/IconButton";
import { PanelHeader } from "../widgets/PanelHeader";
import { ForkNote } from "./fork/ForkNote";
import { RelatedSessions } from "./RelatedSessions";
import { ReplayOutline } from "./ReplayOutline";
import { useReplayLook, useReplayLookStore } from "./replayLookContext";
import { ReplayTree } from "./ReplayTree";
import { SearchHits } from "./SearchHits";
import { useAsked } from "./useAsked";

/** The steps of the session, and its files at this point. */
export function ReplaySides() {
  const { replay } = useWorkbench();
  const changed = useStore(replay, (state) => state.changes.count);
  const hasFiles = useStore(replay, (state) => state.tree.fileCount + state.changes.count > 0);
  const isStartKept = useStore(replay, (state) => state.isStartKept);
  const words = changed === 0 ? "as at the start" : `${changed} changed since the start`;
  return (
    <div className="replay-sides">
      <RelatedSessions />
      <ForkedFrom />
      <StepsOrHits />
      <div className="files-header">
        <PanelHeader title="Files" detail={hasFiles || isStartKept ? words : "none known at this point"} />
      </div>
      {hasFiles ? <ReplayTree /> : null}
    </div>
  );
}

/** Of a fork: the session it comes from, and where it left it. */
function ForkedFrom() {
  const started = useReplayLook((state) => state.head[0]);
  const fork = started?.type === "session.started" ? started.data.playground?.fork : undefined;
  return fork === undefined ? null : <ForkNote fork={fork} />;
}

function StepsOrHits() {
  const look = useReplayLookStore();
  const isSearched = useReplayLook((state) => state.words.trim() !== "");
  const count = useReplayLook((state) => state.hitCount);
  const shown = useReplayLook((state) => state.hits.length);
  if (!isSearched) return <Steps />;
  return (
    <>
      <PanelHeader title="Hits" detail={count.toLocaleString("en")}>
        <button type="button" className="link-button small" onClick={() => look.getState().search("")}>
          back to the steps
        </button>
      </PanelHeader>
      {count > shown ? (
        <p className="replay-note small muted">{`The first ${shown.toLocaleString("en")} are listed.`}</p>
      ) : null}
      <SearchHits />
    </>
  );
}

function Steps() {
  const { replay } = useWorkbench();
  const steps = useStore(replay, (state) => state.stepIndexes.length);
  const look = useReplayLookStore();
  const { found } = useReplayLook((state) => state.shown);
  const { toggleAll } = look.getState();
  useAsked("unfold", () => toggleAll(true));
  useAsked("fold", () => toggleAll(false));
  return (
    <>
      <PanelHeader
        title="Steps"
        detail={found === undefined ? String(steps) : `${found.toLocaleString("en")} shown by the filter`}
      >
        <IconButton
          label="Expand all"
          disabled={found !== undefined}
          icon={<ChevronsUpDown size={14} aria-hidden="true" />}
          onClick={() => toggleAll(true)}
        />
        <IconButton
          label="Collapse all"
          disabled={found !== undefined}
          icon={<ChevronsDownUp size={14} aria-hidden="true" />}
          onClick={() => toggleAll(false)}
        />
      </PanelHeader>
      <ReplayOutline />
    </>
  );
}
