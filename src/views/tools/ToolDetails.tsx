import { useState } from "react";
import type { JsonObject } from "../../base";
import { AGENT_ID, type OfferedRow, type ToolRow, type ToolsPanel } from "../../store";
import { CallSection } from "../session/CallSection";
import { CopyButton } from "../session/CopyButton";
import { LongText } from "../session/LongText";
import { useWorkbench } from "../workbenchContext";
import { TryTool } from "./TryTool";

export interface ToolDetailsProps {
  readonly row: ToolRow;
  readonly tries: ToolsPanel["tries"];
}

/** An opened tool: what the model is told of it, and a form to call it by hand; or why it is refused and what it would be told. */
export function ToolDetails({ row, tries }: ToolDetailsProps) {
  if (row.kind === "offered") return <OfferedDetails row={row} tries={tries} />;
  return (
    <div className="call-details">
      <p className="call-section small">
        {row.reason} <RefusedName allowlistName={row.allowlistName} />
      </p>
      {row.description === undefined ? null : <p className="call-section small tool-description">{row.description}</p>}
      {row.inputSchema === undefined ? null : <Schema schema={row.inputSchema} />}
    </div>
  );
}

function RefusedName({ allowlistName }: { readonly allowlistName: string | undefined }) {
  if (allowlistName === undefined) return null;
  return (
    <span className="muted">
      Its name in the list <span className="mono">tools</span> of {AGENT_ID} is{" "}
      <span className="mono">{allowlistName}</span>.
    </span>
  );
}

function OfferedDetails({ row, tries }: { readonly row: OfferedRow; readonly tries: ToolsPanel["tries"] }) {
  return (
    <div className="call-details">
      {row.mcp === undefined ? null : <Origin row={row} />}
      <p className="call-section small tool-description">{row.description}</p>
      <TryTool tool={row} tries={tries} />
      <Schema schema={row.inputSchema} />
    </div>
  );
}

/** What a server says is data of somebody else's. */
function Origin({ row: { toolName, mcp } }: { readonly row: OfferedRow }) {
  const { connections } = useWorkbench();
  const url = connections.getState().connections.find(({ name }) => name === mcp?.connection)?.url;
  return (
    <p className="call-section small muted">
      The model calls it <span className="mono">{toolName}</span>. The words below are the server’s own
      {url === undefined ? "" : ` (${url})`}.
    </p>
  );
}

function Schema({ schema }: { readonly schema: JsonObject }) {
  const [shown, setShown] = useState(false);
  if (!shown) {
    return (
      <div className="call-section">
        <button type="button" className="link-button muted small" aria-expanded={false} onClick={() => setShown(true)}>
          JSON schema of its arguments ›
        </button>
      </div>
    );
  }
  const text = JSON.stringify(schema, undefined, 2);
  return (
    <CallSection title="JSON schema of its arguments" buttons={<CopyButton what="the schema" text={() => text} />}>
      <LongText text={text} />
    </CallSection>
  );
}
