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
  const { project, mounts } = useWorkbench();
  const agent = useStore(project, (state) => state.agent);
  const [offered, setOffered] = useState<OfferedTools>({ tools: [] });
  useEffect(() => {
    let current = true;
    const load = async () => {
      const next = await offeredTools(agent, mounts.getState().liveTree());
      if (current) setOffered(next);
    };
    void load();
    return () => {
      current = false;
    };
  }, [agent, mounts]);
  return offered;
}
