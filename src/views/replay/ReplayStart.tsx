import { useStore } from "zustand";
import { SessionList } from "../session/SessionList";
import { useShowInReplay } from "../session/useShowInReplay";
import { useWorkbench } from "../workbenchContext";
import { PanelHeader } from "../widgets/PanelHeader";

/** Before a session is chosen: what can be looked at here, and the sessions there are. */
export function ReplayStart({ isDeleted }: { readonly isDeleted: boolean }) {
  const { replay } = useWorkbench();
  const problem = useStore(replay, (state) => state.problem);
  const showInReplay = useShowInReplay();
  return (
    <div className="replay-start">
      <PanelHeader title="Saved sessions" />
      <div className="replay-start-words">
        {isDeleted ? (
          <p className="warn">
            The session that was open here was deleted. As long as its notice offers Undo, that brings it back.
          </p>
        ) : problem === undefined ? (
          <p className="muted">
            Choose a session to go through it event by event: what was said, which calls ran, and the files as they were
            at each step. Nothing runs here.
          </p>
        ) : (
          <p className="bad">{`The session cannot be shown: ${problem}`}</p>
        )}
      </div>
      <SessionList currentId={undefined} onChoose={showInReplay} onImported={showInReplay} />
    </div>
  );
}
