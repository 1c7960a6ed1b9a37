import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { agentJsonReport, type AgentJsonReport, type HarnessTools } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** What the definition as it is typed says and comes to, with the mounts and connections as they are. */
export function useAgentReport(): AgentJsonReport & { readonly text: string; readonly harnessTools?: HarnessTools } {
  const { agentJson, project, mounts, connections } = useWorkbench();
  const text = useStore(agentJson, (state) => state.text);
  const instructions = useStore(project, (state) => state.agent.instructions);
  const mountViews = useStore(mounts, (state) => state.mounts);
  const connectionViews = useStore(connections, (state) => state.connections);
  const [harnessTools, setHarnessTools] = useState<HarnessTools>();
  useEffect(() => {
    let current = true;
    void connections
      .getState()
      .currentTools()
      .then((tools) => current && setHarnessTools(tools));
    return () => {
      current = false;
    };
  }, [connections, connectionViews]);
  return useMemo(() => {
    const tree = mounts.getState().liveTree();
    const { report, ...rest } = agentJsonReport(text, {
      instructions,
      tree,
      ...(harnessTools ? { harnessTools } : {}),
    });
    // Until the tools of the harness are known, nothing is said of what is offered.
    return { text, ...rest, ...(harnessTools ? { harnessTools } : {}), ...(report && harnessTools ? { report } : {}) };
    // oxlint-disable-next-line react/exhaustive-deps -- `mountViews` stands for the tree made of them
  }, [text, instructions, harnessTools, mounts, mountViews]);
}
