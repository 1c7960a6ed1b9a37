import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { AGENT_ID, offeredTools, type OfferedTools } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../widgets/Menu";

/** Which tools the model is offered, from the agent's list and what the tree can serve. */
export function ToolsMenu() {
  const { editor } = useWorkbench();
  const { tools, problem } = useOfferedTools();
  const openAgent = () => void editor.getState().open(AGENT_ID);
  return (
    <Menu
      align="end"
      width={380}
      trigger={
        <Button>
          {`Tools ${tools.length}`}
          <span aria-hidden="true">▾</span>
        </Button>
      }
    >
      <MenuLabel>
        {problem ?? (tools.length === 0 ? "The agent is offered no tools." : "Offered to the model")}
      </MenuLabel>
      {tools.map((tool) => (
        <MenuItem key={tool.name} onSelect={openAgent}>
          <b>{tool.name}</b> <span className="dim small">{tool.summary}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={openAgent}>Choose them in agent.json</MenuItem>
    </Menu>
  );
}

function useOfferedTools(): OfferedTools {
  const { project, mounts, connections } = useWorkbench();
  const agent = useStore(project, (state) => state.agent);
  const [offered, setOffered] = useState<OfferedTools>({ tools: [] });
  useEffect(() => {
    let current = true;
    const load = async () => {
      const harnessTools = await connections.getState().currentTools();
      const next = await offeredTools(agent, mounts.getState().liveTree(), harnessTools);
      if (current) setOffered(next);
    };
    void load();
    const unsubscribe = connections.subscribe((state, before) => {
      if (state.connections !== before.connections) void load();
    });
    return () => {
      current = false;
      unsubscribe();
    };
  }, [agent, mounts, connections]);
  return offered;
}
