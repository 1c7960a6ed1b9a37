import { useStore } from "zustand";
import { isHostRuntime, isVirtualRuntime, type ToolsPanel } from "../../store";
import { PlaceFields } from "../agent/ChoiceFields";
import { ToolsFields } from "../agent/ToolsFields";
import { useAgentEdits } from "../agent/useAgentEdits";
import "../agent/agent.css";

/** What decides the offer, to be changed over it: what the agent stands on, and its list of tools. */
export function AgentChoices({ panel }: { readonly panel: ToolsPanel }) {
  const { value, report, unreadable } = useStore(panel.state);
  const { set, onKeyDown } = useAgentEdits();
  if (value === undefined) return null;
  const { runtime, tools } = value;
  return (
    <details className="tools-choices">
      <summary>
        Place and tools <span className="muted">{choiceWords(runtime, tools)}</span>
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- undo and redo of the fields in it */}
      <fieldset
        className="tools-choices-fields"
        aria-label="Place and tools of the agent"
        disabled={unreadable !== undefined}
        onKeyDown={onKeyDown}
      >
        <PlaceFields value={runtime} faults={[]} set={(next) => set("runtime", next)} />
        <ToolsFields value={tools} faults={[]} report={report} set={(next) => set("tools", next)} />
      </fieldset>
    </details>
  );
}

function choiceWords(runtime: unknown, tools: unknown): string {
  const place =
    runtime === undefined || runtime === "local"
      ? "the mounts as its root"
      : isVirtualRuntime(runtime)
        ? "the mounts as a virtual tree"
        : isHostRuntime(runtime)
          ? "the in-page host"
          : "another place";
  const names = Array.isArray(tools) ? `${tools.length} ${tools.length === 1 ? "name" : "names"} listed` : undefined;
  return `${place} · ${names ?? (tools === undefined ? "every tool there is" : "a list that is none")}`;
}
