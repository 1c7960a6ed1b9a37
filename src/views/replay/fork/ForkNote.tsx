import type { RecordedFork } from "../../../session";
import { useSessionState } from "../../session/useSessionState";
import { useWorkbench } from "../../workbenchContext";
import "./fork.css";

const EDITS: Readonly<Record<RecordedFork["edit"], string>> = {
  none: "",
  instructions: " with other instructions",
  message: " with another message",
  "tool-result": " with another tool result",
  file: " with another file",
};

/** Where a forked session comes from, with the way back, and that it runs on files of its own. */
export function ForkNote({ fork }: { readonly fork: RecordedFork }) {
  const { project, replay } = useWorkbench();
  const name = useSessionState((state) => state.sessions.find(({ id }) => id === fork.from)?.name);
  const show = () => {
    void replay.getState().open(fork.from, { index: fork.eventIndex });
    project.getState().setMode("replay");
  };
  return (
    <p className="fork-note small">
      Forked from{" "}
      {name === undefined ? (
        <span>a session that is not here</span>
      ) : (
        <button type="button" className="fork-back" onClick={show} title={name}>
          {name}
        </button>
      )}
      {` at step ${fork.step}${EDITS[fork.edit]}. It runs on a copy of the files; your mounts stay as they are.`}
    </p>
  );
}
