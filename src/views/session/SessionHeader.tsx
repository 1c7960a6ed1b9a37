import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { IconButton } from "../widgets/IconButton";
import { Popover } from "../widgets/Popover";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { sessionViews } from "./SessionViews";
import { useShowInReplay } from "./useShowInReplay";
import { useSessionState } from "./useSessionState";

const SessionList = lazy(async () => ({ default: (await import("./SessionList")).SessionList }));

export function SessionHeader() {
  const view = useSessionState((state) => state.view);
  const setView = useSessionState((state) => state.setView);
  const startNew = useSessionState((state) => state.startNew);
  const hasSession = useSessionState((state) => state.currentId !== undefined);
  const [listOpen, setListOpen] = useState(false);
  return (
    <div className="session-header">
      <h2>Session</h2>
      <Popover
        open={listOpen}
        onOpenChange={setListOpen}
        label="Sessions of this project"
        trigger={
          <button type="button" className="session-title">
            <SessionTitle />
            <span aria-hidden="true">▾</span>
          </button>
        }
      >
        <Suspense fallback={<p className="session-list session-list-row dim">…</p>}>
          <OpenList onClose={() => setListOpen(false)} />
        </Suspense>
      </Popover>
      <span className="push-right" style={{ display: "inline-flex", gap: 4, alignItems: "center", flex: "none" }}>
        <IconButton
          label="New session"
          icon={<Plus size={16} aria-hidden="true" />}
          disabled={!hasSession}
          onClick={startNew}
        />
        <SegmentedControl
          label="View of the session"
          segments={sessionViews}
          value={view}
          onChange={setView}
          size="small"
        />
      </span>
    </div>
  );
}

function OpenList({ onClose }: { readonly onClose: () => void }) {
  const currentId = useSessionState((state) => state.currentId);
  const open = useSessionState((state) => state.open);
  const startNew = useSessionState((state) => state.startNew);
  const showInReplay = useShowInReplay();
  return (
    <SessionList
      currentId={currentId}
      onChoose={(sessionId) => {
        void open(sessionId);
        onClose();
      }}
      onNew={() => {
        startNew();
        onClose();
      }}
      onImported={(sessionId) => {
        onClose();
        showInReplay(sessionId);
      }}
    />
  );
}

function SessionTitle() {
  const name = useSessionState((state) => state.sessions.find((record) => record.id === state.currentId)?.name);
  const turns = useSessionState((state) => state.session.turns.length);
  const steps = useSessionState((state) => state.session.steps.length);
  const known = useSessionState((state) => state.sessions.length);
  const isNew = useSessionState((state) => state.currentId === undefined);
  if (isNew) return <span className="truncate">{known === 0 ? "new" : `new · ${known} kept`}</span>;
  return (
    <>
      <span className="truncate" title={name}>
        {name}
      </span>
      <span style={{ whiteSpace: "nowrap" }}>{`· turn ${turns} · ${steps} ${steps === 1 ? "step" : "steps"}`}</span>
    </>
  );
}
