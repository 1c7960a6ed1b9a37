import { useEffect, useState } from "react";
import type { ToolsPanel } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** The project's tools panel, once it is loaded. */
export function useToolsPanel(): ToolsPanel | undefined {
  const workbench = useWorkbench();
  const [panel, setPanel] = useState<ToolsPanel>();
  useEffect(() => {
    let current = true;
    void workbench.toolsPanel().then((opened) => current && setPanel(opened));
    return () => {
      current = false;
    };
  }, [workbench]);
  return panel;
}
