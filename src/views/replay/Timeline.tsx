import { useMemo } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { MARK_UNITS, timelineMarks } from "./timelineMarks";

/** The whole session as a line: a mark below for each step, one above for each change of a file. */
export function Timeline() {
  const { replay } = useWorkbench();
  const index = useStore(replay, (state) => state.index);
  const count = useStore(replay, (state) => state.eventCount);
  const steps = useStore(replay, (state) => state.stepIndexes);
  const changes = useStore(replay, (state) => state.changeIndexes);
  const type = useStore(replay, (state) => state.event?.type);
  const step = steps.findLastIndex((stepIndex) => stepIndex <= index) + 1;
  const words = `event ${index + 1} of ${count}, step ${step} of ${steps.length}${type ? `, ${type}` : ""}`;
  return (
    <div
      className="timeline"
      title="The line is the whole session. Ticks above: an event that changed a file. Ticks below: a step of the model begins. Of many, a taller tick stands for more."
    >
      <Marks indexes={changes} count={count} kind="change" />
      <input
        type="range"
        className="timeline-range"
        aria-label="Place in the session"
        aria-valuetext={words}
        min={0}
        max={count}
        value={index + 1}
        onChange={(event) => replay.getState().seek(event.target.valueAsNumber - 1)}
      />
      <Marks indexes={steps} count={count} kind="step" />
    </div>
  );
}

interface MarksProps {
  readonly indexes: readonly number[];
  readonly count: number;
  readonly kind: "step" | "change";
}

/** One path, however many marks there are. */
function Marks({ indexes, count, kind }: MarksProps) {
  const path = useMemo(() => timelineMarks(indexes, count), [indexes, count]);
  return (
    <svg
      className={`timeline-marks timeline-${kind}`}
      viewBox={`0 0 1000 ${MARK_UNITS}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
