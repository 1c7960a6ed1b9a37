import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { runCurrentMode } from "./runCurrentMode";

/** Runs what the mode shows, or stops it. */
export function RunButton() {
  const workbench = useWorkbench();
  const mode = useStore(workbench.project, (state) => state.mode);
  const runner = useStore(workbench.session, (state) => state.runner);
  const stopping = useStore(workbench.session, (state) => state.stopping);
  if (mode !== "run") return null;
  if (runner === "this-tab") {
    return (
      <Button keys="Esc" disabled={stopping} onClick={() => workbench.session.getState().stop()}>
        {stopping ? "Stopping…" : "Stop"}
      </Button>
    );
  }
  return (
    <Button
      variant="primary"
      keys="mod+Enter"
      disabled={runner === "another-tab"}
      onClick={() => runCurrentMode(workbench)}
    >
      Run
    </Button>
  );
}
