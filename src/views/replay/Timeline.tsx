import { useMemo } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";

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
      title="The line is the whole session. Ticks above: an event that changed a file. Ticks below: a step of the model begins."
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

/** Marks that are told apart on a screen; more are drawn at whole thousandths of the line. */
const MARKS = 1_000;

interface MarksProps {
  readonly indexes: readonly number[];
  readonly count: number;
  readonly kind: "step" | "change";
}

/** One path, however many marks there are; of those that would lie on one another one is drawn. */
function Marks({ indexes, count, kind }: MarksProps) {
  const path = useMemo(() => {
    const tenths = new Set(indexes.map((index) => Math.round(((index + 1) / Math.max(1, count)) * 10_000)));
    const step = tenths.size > MARKS ? 10 : 1;
    const places = step === 1 ? tenths : new Set([...tenths].map((tenth) => Math.round(tenth / step) * step));
    return [...places].map((tenth) => `M${(tenth / 10).toFixed(1)} 0v5`).join("");
  }, [indexes, count]);
  return (
    <svg
      className={`timeline-marks timeline-${kind}`}
      viewBox="0 0 1000 5"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
