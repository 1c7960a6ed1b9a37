import { useStore } from "zustand";
import { callName, type OfferedRow, type ToolRow, type ToolsPanel, type ToolsPanelState } from "../../store";
import { showAgentView } from "../agent/showAgentView";
import { useToolsPanel } from "../tools/useToolsPanel";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../widgets/Menu";

/** Which tools the model is offered, what is refused, and whether the agent could run at all. */
export function ToolsMenu() {
  const panel = useToolsPanel();
  return panel === undefined ? <ToolsButton offeredCount={0} /> : <LoadedToolsMenu panel={panel} />;
}

function LoadedToolsMenu({ panel }: { readonly panel: ToolsPanel }) {
  const { rows, faults, unreadable } = useStore(panel.state);
  const workbench = useWorkbench();
  const openTools = () => showAgentView(workbench, "tools");
  const offered = rows.filter((row): row is OfferedRow => row.kind === "offered");
  const refused = rows.filter((row) => row.kind === "refused");
  const isAtFault = faults.length > 0 || unreadable !== undefined;
  return (
    <Menu align="end" width={380} trigger={<ToolsButton offeredCount={offered.length} isAtFault={isAtFault} />}>
      {isAtFault ? (
        <MenuItem onSelect={openTools}>
          <span className="bad">{`✕ ${faultWords({ faults, unreadable })}`}</span>
        </MenuItem>
      ) : null}
      <MenuLabel>{offered.length === 0 ? "The agent is offered no tools." : "Offered to the model"}</MenuLabel>
      {offered.map((tool) => (
        <MenuItem key={tool.toolName} onSelect={openTools}>
          <b>{callName(tool)}</b> <span className="dim small">{tool.summary}</span>
        </MenuItem>
      ))}
      {refused.length > 0 ? (
        <MenuItem onSelect={openTools}>
          <span className="dim">{`${refused.length} refused: ${names(refused)}`}</span>
        </MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuItem onSelect={openTools}>Open the tools panel</MenuItem>
    </Menu>
  );
}

function faultWords({ faults, unreadable }: Pick<ToolsPanelState, "faults" | "unreadable">): string {
  if (unreadable !== undefined) return "agent.json is no JSON as it is typed";
  return `${countText(faults.length, "fault")}: ${faults[0]?.problem ?? ""}`;
}

function names(rows: readonly ToolRow[]): string {
  return rows.map(({ toolName }) => toolName).join(", ");
}

interface ToolsButtonProps {
  readonly offeredCount: number;
  readonly isAtFault?: boolean;
}

function ToolsButton({ offeredCount, isAtFault = false, ...rest }: ToolsButtonProps) {
  return (
    <Button {...rest}>
      {`Tools ${offeredCount}`}
      {isAtFault ? (
        <span className="bad">
          <span aria-hidden="true">✕</span>
          <span className="visually-hidden">, the agent has faults</span>
        </span>
      ) : null}
      <span aria-hidden="true">▾</span>
    </Button>
  );
}
