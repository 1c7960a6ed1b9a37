import { useEffect, useRef } from "react";
import { useWorkbench } from "../workbenchContext";
import { AgentJsonEditor } from "./AgentJsonEditor";

/** The agent definition as a text. */
export function AgentJsonView() {
  const { agentJson } = useWorkbench();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return undefined;
    const editor = new AgentJsonEditor(element.current, agentJson);
    return () => editor.dispose();
  }, [agentJson]);
  return <div ref={element} className="monaco-box" />;
}
