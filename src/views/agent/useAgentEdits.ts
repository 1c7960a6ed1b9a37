import type { KeyboardEvent } from "react";
import type { JsonValue } from "../../base";
import { agentJsonWithField } from "../../store";
import { useWorkbench } from "../workbenchContext";

export interface AgentEdits {
  /** Puts a field into the definition as it is typed; `undefined` takes it out. */
  readonly set: (field: string, value: JsonValue | undefined) => void;
  /** Undo and redo of what fields put in, for what lies around them. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Changes of the agent definition by fields, wherever they stand. */
export function useAgentEdits(): AgentEdits {
  const { agentJson } = useWorkbench();
  return {
    set(field, value) {
      const { text, edit } = agentJson.getState();
      edit(agentJsonWithField(text, field, value), `form ${field}`);
    },
    onKeyDown(event) {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const { undo, redo } = agentJson.getState();
      const key = event.key.toLowerCase();
      const step = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : undefined;
      if (!step) return;
      event.preventDefault();
      step();
    },
  };
}
