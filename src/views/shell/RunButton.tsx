import { useStore } from "zustand";
import { plannedRunCount } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { runCurrentMode } from "./runCurrentMode";

/** Runs what the mode shows, or stops it. */
export function RunButton() {
  const mode = useStore(useWorkbench().project, (state) => state.mode);
  if (mode === "run") return <RunSession />;
  return mode === "compare" ? <RunComparison /> : null;
}

function RunSession() {
  const workbench = useWorkbench();
  const runner = useStore(workbench.session, (state) => state.runner);
  const stopping = useStore(workbench.session, (state) => state.stopping);
  const isDeleted = useStore(workbench.project, (state) => state.trouble?.kind === "deleted");
  const waits = useStore(workbench.session, (state) => state.session.status === "input");
  if (waits && runner === "nobody") {
    return (
      <>
        <span className="run-waits warn">● Waiting for you</span>
        <StopButton stopping={stopping} stop={workbench.session.getState().stop} />
      </>
    );
  }
  if (runner === "this-tab") return <StopButton stopping={stopping} stop={workbench.session.getState().stop} />;
  return (
    <Button
      variant="primary"
      keys="mod+Enter"
      disabled={runner === "another-tab" || isDeleted}
      {...(isDeleted ? { title: "This project was deleted in another tab." } : {})}
      onClick={() => runCurrentMode(workbench)}
    >
      Run
    </Button>
  );
}

function RunComparison() {
  const workbench = useWorkbench();
  const status = useStore(workbench.compare, (state) => state.status);
  const isDeleted = useStore(workbench.project, (state) => state.trouble?.kind === "deleted");
  const runs = useStore(workbench.project, (state) => plannedRunCount(state.compare));
  if (status !== "idle")
    return <StopButton stopping={status === "stopping"} stop={workbench.compare.getState().stop} />;
  return (
    <Button variant="primary" keys="mod+Enter" disabled={isDeleted} onClick={() => runCurrentMode(workbench)}>
      {`Run ${runs}`}
    </Button>
  );
}

function StopButton({ stopping, stop }: { readonly stopping: boolean; readonly stop: () => void }) {
  return (
    <Button keys="Esc" disabled={stopping} onClick={stop}>
      {stopping ? "Stopping…" : "Stop"}
    </Button>
  );
}
