import { useStore } from "zustand";
import { plannedRunCount } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { useEditedSides, useVariant } from "./useShownPair";

/** What a person should know before they run or read on; nothing here keeps them from it. */
export function CompareNotes() {
  const { compare } = useWorkbench();
  const idle = useStore(compare, (state) => state.status === "idle");
  const before = useNotesBeforeRun();
  const edited = useEditedSides();
  if (edited.length === 0 && before.length === 0) return null;
  return (
    <div className="compare-notes">
      {edited.length === 0 ? null : (
        <p>
          <span className="warn" aria-hidden="true">
            ●
          </span>
          {` The results below are of ${edited.length === 2 ? "both texts" : `the text of ${edited[0]?.toUpperCase()}`} as before you changed ${edited.length === 2 ? "them" : "it"}. `}
          {idle ? <RunAnew /> : null}
        </p>
      )}
      {before.map((words) => (
        <p key={words}>
          <span className="warn" aria-hidden="true">
            ●
          </span>
          {` ${words}`}
        </p>
      ))}
    </div>
  );
}

function RunAnew() {
  const { compare, project } = useWorkbench();
  const count = useStore(project, (state) => plannedRunCount(state.compare));
  return (
    <Button size="small" onClick={() => void compare.getState().run()}>
      {`Run all ${count} anew`}
    </Button>
  );
}

function useNotesBeforeRun(): readonly string[] {
  const a = useVariant("a")?.instructions.trim();
  const b = useVariant("b")?.instructions.trim();
  if (a === undefined || b === undefined) return [];
  if (a === "" && b === "") return ["A and B have no instructions: the arms would do the same."];
  if (a === b) return ["A and B have the same text: what differs between their runs is noise."];
  if (a === "") return ["A has no instructions: it would run with the prompt alone."];
  return b === "" ? ["B has no instructions: it would run with the prompt alone."] : [];
}
