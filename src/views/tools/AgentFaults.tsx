import { useStore } from "zustand";
import type { ToolsPanel } from "../../store";

/** Why the agent could not run as its definition stands, and what is odd about it, each with the mend. */
export function AgentFaults({ panel }: { readonly panel: ToolsPanel }) {
  const { faults, warnings, unreadable } = useStore(panel.state);
  if (faults.length === 0 && warnings.length === 0 && unreadable === undefined) return null;
  return (
    <ul className="agent-faults" aria-label="Faults of the agent">
      {unreadable === undefined ? null : (
        <FaultRow tone="bad" field="agent.json" words={`${unreadable} Below is what it came to before.`} />
      )}
      {faults.map(({ field, problem, mend }) => (
        <FaultRow key={`${field} ${problem}`} tone="bad" field={field} words={problem} mend={mend} />
      ))}
      {warnings.map(({ field, problem, mend }) => (
        <FaultRow key={`${field} ${problem}`} tone="warn" field={field} words={problem} mend={mend} />
      ))}
    </ul>
  );
}

interface FaultRowProps {
  readonly tone: "bad" | "warn";
  readonly field: string;
  readonly words: string;
  readonly mend?: string;
}

function FaultRow({ tone, field, words, mend }: FaultRowProps) {
  return (
    <li className="agent-fault">
      <span className={tone}>
        <span aria-hidden="true">{tone === "bad" ? "✕" : "!"}</span>
        <span className="visually-hidden">{tone === "bad" ? "fault" : "warning"}</span>
      </span>
      <span>
        <span className="mono">{field}</span> <span className={tone}>{words}</span>{" "}
        {mend === undefined ? null : <span className="muted">{mend}</span>}
      </span>
    </li>
  );
}
