import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { formatName, type ReplaySpeed } from "../../store";
import { SessionList } from "../session/SessionList";
import { useSessionState } from "../session/useSessionState";
import { useShowInReplay } from "../session/useShowInReplay";
import { useWorkbench } from "../workbenchContext";
import { IconButton } from "../widgets/IconButton";
import { Popover } from "../widgets/Popover";
import { Tag } from "../widgets/Tag";
import { PlaceField } from "./PlaceField";
import { Timeline } from "./Timeline";

/** Which session, and where in it. */
export function ReplayBar() {
  return (
    <div className="replay-bar">
      <ChosenSession />
      <Controls />
      <Timeline />
      <PlaceField />
      <Speed />
    </div>
  );
}

function ChosenSession() {
  const { replay } = useWorkbench();
  const sessionId = useStore(replay, (state) => state.sessionId);
  const record = useSessionState((state) => state.sessions.find(({ id }) => id === sessionId));
  const showInReplay = useShowInReplay();
  const [open, setOpen] = useState(false);
  const show = (id: string) => {
    setOpen(false);
    showInReplay(id);
  };
  return (
    <div className="replay-chosen">
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Saved sessions"
        trigger={
          <button type="button" className="replay-title">
            <b className="truncate">{record?.name ?? "Session"}</b>
            <span aria-hidden="true">▾</span>
          </button>
        }
      >
        <SessionList currentId={sessionId} onChoose={show} onImported={show} />
      </Popover>
      {record?.origin === "import" ? (
        <Tag title="It came from a file. It is looked at here and never runs.">
          {record.imported === undefined ? "imported" : formatName(record.imported.format)}
        </Tag>
      ) : null}
      {record?.origin === "compare" ? <Tag title="A run of a comparison">comparison</Tag> : null}
    </div>
  );
}

function Controls() {
  const { replay } = useWorkbench();
  const isPlaying = useStore(replay, (state) => state.isPlaying);
  const { seekStep, play, pause } = replay.getState();
  return (
    <div className="replay-controls">
      <IconButton
        label="Previous step"
        keys="["
        icon={<ChevronLeft size={16} aria-hidden="true" />}
        onClick={() => seekStep(-1)}
      />
      <IconButton
        label={isPlaying ? "Pause" : "Play"}
        keys="Space"
        className="replay-play"
        icon={isPlaying ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        onClick={isPlaying ? pause : play}
      />
      <IconButton
        label="Next step"
        keys="]"
        icon={<ChevronRight size={16} aria-hidden="true" />}
        onClick={() => seekStep(1)}
      />
    </div>
  );
}

const SPEEDS: readonly { readonly value: ReplaySpeed; readonly label: string }[] = [
  { value: 0.5, label: "0.5×" },
  { value: 1, label: "1×" },
  { value: 2, label: "2×" },
  { value: 5, label: "5×" },
  { value: 10, label: "10×" },
  { value: "recorded", label: "as recorded" },
];

function Speed() {
  const { replay } = useWorkbench();
  const speed = useStore(replay, (state) => state.speed);
  return (
    <select
      className="replay-speed"
      aria-label="Speed"
      title="Pauses longer than a second are shortened to one, except as recorded"
      value={String(speed)}
      onChange={(event) => {
        const chosen = SPEEDS.find(({ value }) => String(value) === event.target.value);
        if (chosen) replay.getState().setSpeed(chosen.value);
      }}
    >
      {SPEEDS.map(({ value, label }) => (
        <option key={label} value={String(value)}>
          {label}
        </option>
      ))}
    </select>
  );
}
