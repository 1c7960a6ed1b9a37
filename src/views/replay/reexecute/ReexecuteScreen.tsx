import { use, useEffect } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../../workbenchContext";
import { Button } from "../../widgets/Button";
import { PanelHeader } from "../../widgets/PanelHeader";
import { Progress } from "../../widgets/Progress";
import { PlanForm } from "./PlanForm";
import { ReportView } from "./ReportView";
import "./reexecute.css";

export interface ReexecuteScreenProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** Runs the recorded calls of a session again, and what came of it. The page goes on meanwhile. */
export function ReexecuteScreen({ sessionId, onClose }: ReexecuteScreenProps) {
  const store = use(useWorkbench().reexecution());
  const state = useStore(store);
  const { prepare, stop } = store.getState();
  useEffect(() => void prepare(sessionId), [prepare, sessionId]);
  const isOther = state.sessionId !== sessionId;
  return (
    <section className="reexecute" aria-label="Run again">
      <PanelHeader title="Run again" detail="Nothing of it reaches your files, and nobody is asked.">
        <Button size="small" onClick={onClose}>
          Back to the steps
        </Button>
      </PanelHeader>
      {state.problem === undefined ? null : (
        <p className="reexecute-note bad" role="alert">
          {state.problem}
        </p>
      )}
      {state.running === undefined ? null : <Running running={state.running} onStop={stop} />}
      {state.isPreparing && state.plan === undefined ? (
        <p className="reexecute-note dim">Looking at what the session can be run on…</p>
      ) : null}
      {isOther || state.running !== undefined ? null : state.shown !== undefined ? (
        <ReportView store={store} shown={state.shown} onGoTo={onClose} />
      ) : state.plan === undefined ? null : (
        <PlanForm key={sessionId} store={store} plan={state.plan} />
      )}
    </section>
  );
}

interface RunningProps {
  readonly running: { readonly done: number; readonly total: number };
  readonly onStop: () => void;
}

function Running({ running: { done, total }, onStop }: RunningProps) {
  return (
    <div className="reexecute-running">
      <Progress
        label="Running the calls again"
        detail={`${done.toLocaleString("en")} of ${total.toLocaleString("en")}`}
        {...(total > 0 ? { share: done / total } : {})}
        onStop={onStop}
      />
    </div>
  );
}
