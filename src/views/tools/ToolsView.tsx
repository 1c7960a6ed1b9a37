import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import { callName, type ToolRow, type ToolsPanel } from "../../store";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { AgentChoices } from "./AgentChoices";
import { AgentFaults } from "./AgentFaults";
import { ConnectionsSection } from "./ConnectionsSection";
import { ToolTable } from "./ToolTable";
import { useToolsPanel } from "./useToolsPanel";
import { WebSearchSection } from "./WebSearchSection";
import "./tools.css";

/** What the agent is offered as its definition stands, what is refused and why, and what servers and searches add. */
export function ToolsView() {
  const panel = useToolsPanel();
  return panel === undefined ? <p className="document-note dim">Opening…</p> : <LoadedToolsView panel={panel} />;
}

type Shown = "all" | ToolRow["kind"];

function LoadedToolsView({ panel }: { readonly panel: ToolsPanel }) {
  const rows = useStore(panel.state, (state) => state.rows);
  const isOnHost = useStore(panel.state, (state) => state.report?.binding === "host");
  const [words, setWords] = useState("");
  const [shown, setShown] = useState<Shown>("all");
  const table = useRef<HTMLDivElement>(null);
  const count = (kind: ToolRow["kind"]) => rows.filter((row) => row.kind === kind).length;
  const found = rows.filter((row) => (shown === "all" || row.kind === shown) && holds(row, words));
  return (
    <section className="tools-view" aria-label="Tools of the agent">
      <div className="tools-bar">
        <label className="tools-filter">
          <Search size={14} aria-hidden="true" />
          <span className="visually-hidden">Filter the tools</span>
          <input
            type="search"
            placeholder="Filter"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape" && words !== "") {
                event.preventDefault();
                event.stopPropagation();
                setWords("");
              } else if (event.key === "ArrowDown") {
                event.preventDefault();
                table.current?.querySelector<HTMLElement>("[data-row]")?.focus();
              }
            }}
          />
        </label>
        <SegmentedControl<Shown>
          label="Which tools"
          size="small"
          segments={[
            { value: "all", label: "All" },
            { value: "offered", label: `Offered ${count("offered")}` },
            { value: "refused", label: `Refused ${count("refused")}` },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      <div ref={table} className="tools-scroll scroll">
        <AgentFaults panel={panel} />
        <AgentChoices panel={panel} />
        {found.length === 0 ? (
          <p className="tools-none dim">No tool fits.</p>
        ) : (
          <ToolTable rows={found} tries={panel.tries} isOnHost={isOnHost} />
        )}
        <ConnectionsSection />
        <WebSearchSection />
      </div>
    </section>
  );
}

/** Whether a row holds every word, wherever. */
function holds(row: ToolRow, words: string): boolean {
  const text = [
    row.toolName,
    callName(row),
    row.allowlistName ?? "",
    ...(row.kind === "offered" ? [row.owner, row.effect, row.description] : [row.reason]),
  ]
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
