import { Suspense } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { agentSegments, shownAgentView } from "./agentViews";

/** The agent definition, as a form, a text, its tools, its prompt or its skills: one value in five views. */
export function AgentDocumentView() {
  const { value, view: View } = useShownView();
  return (
    <Suspense key={value} fallback={<p className="document-note dim">Opening…</p>}>
      <View />
    </Suspense>
  );
}

/** Chooses among the views; remembered with the project. */
export function AgentViewSwitch() {
  const { project } = useWorkbench();
  const { value } = useShownView();
  return (
    <div className="agent-switch">
      <SegmentedControl
        label="View of the agent"
        size="small"
        segments={agentSegments}
        value={value}
        onChange={(agentView) => project.getState().change({ agentView })}
      />
    </div>
  );
}

function useShownView() {
  const { project } = useWorkbench();
  return shownAgentView(useStore(project, (state) => state.agentView));
}
