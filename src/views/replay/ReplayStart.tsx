import { useStore } from "zustand";
import { IMPORTED_FORMATS } from "../../store";
import { SessionList } from "../session/SessionList";
import { useShowInReplay } from "../session/useShowInReplay";
import { useWorkbench } from "../workbenchContext";
import { PanelHeader } from "../widgets/PanelHeader";
import { ImportBox } from "./ImportBox";

/** Before a session is chosen: where one can come from, and the sessions there are. */
export function ReplayStart({ isDeleted }: { readonly isDeleted: boolean }) {
  const { replay } = useWorkbench();
  const problem = useStore(replay, (state) => state.problem);
  const showInReplay = useShowInReplay();
  return (
    <div className="replay-start">
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
      <ImportBox onImported={showInReplay} />
      <details className="replay-formats small" open>
        <summary className="muted">{`Known formats: ${Object.keys(IMPORTED_FORMATS).length}`}</summary>
        <ul aria-label="Known formats">
          {Object.entries(IMPORTED_FORMATS).map(([format, name]) => (
            <li key={format} className="tag tag-plain">
              {name}
            </li>
          ))}
        </ul>
      </details>
      <PanelHeader title="Saved sessions" />
      <SessionList currentId={undefined} onChoose={showInReplay} onImported={showInReplay} hasOwnImport />
    </div>
  );
}
