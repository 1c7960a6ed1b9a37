import { useRef, useState, type FormEvent } from "react";
import { useStore } from "zustand";
import { durationText } from "../session/durationText";
import { useWorkbench } from "../workbenchContext";
import { useAsked } from "./useAsked";

/** Where the replay stands, as the number of its event; another number goes there. */
export function PlaceField() {
  const { replay } = useWorkbench();
  const index = useStore(replay, (state) => state.index);
  const count = useStore(replay, (state) => state.eventCount);
  const elapsedMs = useStore(replay, (state) => state.elapsedMs);
  const totalMs = useStore(replay, (state) => state.totalMs);
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useAsked("jump", () => field.current?.focus());
  const wanted = Number(typed);
  const isNumber = typed === undefined || (/^\d+$/.test(typed.trim()) && wanted <= count);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === undefined || !isNumber) return;
    setTyped(undefined);
    replay.getState().jumpTo(wanted - 1);
  };
  return (
    <form className="replay-place dim numeric" onSubmit={submit}>
      <label htmlFor="replay-place">event</label>
      <input
        ref={field}
        id="replay-place"
        className="replay-number"
        inputMode="numeric"
        autoComplete="off"
        aria-keyshortcuts="g"
        aria-invalid={!isNumber}
        title="Another number, and Enter, goes to that event"
        style={{ width: `${Math.max(2, String(count).length) + 2}ch` }}
        value={typed ?? String(index + 1)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
      <span>
        {`of ${count.toLocaleString("en")} · `}
        {totalMs === 0 ? "times missing" : `${durationText(elapsedMs)} of ${durationText(totalMs)}`}
      </span>
    </form>
  );
}
