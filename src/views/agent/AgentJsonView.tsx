import { useEffect, useRef } from "react";
import { useWorkbench } from "../workbenchContext";
import { AgentJsonEditor } from "./AgentJsonEditor";
import { useAgentReport } from "./useAgentReport";

/** The agent definition as a text. */
export function AgentJsonView() {
  const { agentJson } = useWorkbench();
  const element = useRef<HTMLDivElement>(null);
  const editor = useRef<AgentJsonEditor>(undefined);
  const report = useAgentReport();
  useEffect(() => {
    if (!element.current) return undefined;
    const made = new AgentJsonEditor(element.current, agentJson);
    editor.current = made;
    return () => {
      made.dispose();
      editor.current = undefined;
    };
  }, [agentJson]);
  useEffect(() => editor.current?.showFaults(report.text, report), [report]);
  return <div ref={element} className="monaco-box" />;
}
