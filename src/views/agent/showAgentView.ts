import { AGENT_ID, type AgentView, type Workbench } from "../../store";

/** Opens the agent definition in one of its views, wherever in the page a person is. */
export function showAgentView({ project, editor }: Workbench, agentView: AgentView): void {
  project.getState().change({ agentView, mode: "run" });
  void editor.getState().open(AGENT_ID);
}
