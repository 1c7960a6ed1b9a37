import { Plus } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { ConnectionView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { PanelHeader } from "../widgets/PanelHeader";
import { ConnectionDialog } from "./ConnectionDialog";
import { ConnectionRow } from "./ConnectionRow";
import { TokenDialog } from "./TokenDialog";

/** Which window stands over the connections, and about which of them. */
type Asked =
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "token"; readonly connection: ConnectionView }
  | undefined;

/** The MCP servers whose tools the agent gets beside its own. */
export function ConnectionsSection() {
  const { connections: store } = useWorkbench();
  const connections = useStore(store, (state) => state.connections);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <section className="tools-section" aria-label="Connections">
      <PanelHeader title="Connections" detail="MCP servers" level={3}>
        <Button size="small" icon={<Plus size={13} aria-hidden="true" />} onClick={() => setAsked({ kind: "add" })}>
          Add server
        </Button>
      </PanelHeader>
      {connections.length === 0 ? (
        <p className="tools-none small dim">None. The tools of an MCP server stand beside the agent’s own.</p>
      ) : (
        <ul aria-label="MCP servers">
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              edit={() => setAsked({ kind: "edit", connection })}
              giveToken={() => setAsked({ kind: "token", connection })}
            />
          ))}
        </ul>
      )}
      {asked?.kind === "add" ? <ConnectionDialog onClose={close} /> : null}
      {asked?.kind === "edit" ? <ConnectionDialog connection={asked.connection} onClose={close} /> : null}
      {asked?.kind === "token" ? <TokenDialog connection={asked.connection} onClose={close} /> : null}
    </section>
  );
}
