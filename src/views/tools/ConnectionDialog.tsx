import { useState, type FormEvent } from "react";
import { connectionProblem, type ConnectionView } from "../../store";
import { CorsRules } from "../mounts/CorsRules";
import "../mounts/mountDialog.css";
import { useWorkbench } from "../workbenchContext";
import { Dialog } from "../widgets/Dialog";
import { FormFooter } from "../widgets/FormFooter";
import { TextField } from "../widgets/TextField";

export interface ConnectionDialogProps {
  /** Changed where it is there already, else a new one is added. */
  readonly connection?: ConnectionView;
  readonly onClose: () => void;
}

/** Names an MCP server and where it is. */
export function ConnectionDialog({ connection, onClose }: ConnectionDialogProps) {
  const { connections } = useWorkbench();
  const [name, setName] = useState(connection?.name ?? "");
  const [url, setUrl] = useState(connection?.url ?? "");
  const [clientId, setClientId] = useState(connection?.clientId ?? "");
  const [isTried, setTried] = useState(false);
  const choice = { name: name.trim(), url: url.trim(), ...(clientId.trim() === "" ? {} : { clientId }) };
  const others = connections.getState().connections.filter(({ id }) => id !== connection?.id);
  const problem = isTried ? connectionProblem(choice, others) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const { addConnection, editConnection } = connections.getState();
    const refused = connection === undefined ? addConnection(choice) : editConnection(connection.id, choice);
    if (refused === undefined) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width={520}
      title={connection === undefined ? "Add an MCP server" : `Connection ${connection.name}`}
      description="This page talks to it itself, over streamable HTTP. Add only servers you trust: what their tools say reaches the model."
      footer={
        <FormFooter
          form="connection-form"
          label={connection === undefined ? "Add" : "Save"}
          refused={problem}
          onCancel={onClose}
        />
      }
    >
      <form id="connection-form" className="connection-form" noValidate onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          placeholder="docs"
          hint="Its tools are named by it: mcp__docs__search."
          onChange={setName}
        />
        <TextField
          label="Address"
          mono
          inputMode="url"
          value={url}
          placeholder="https://docs.example/mcp"
          onChange={setUrl}
        />
        <details open={clientId !== ""}>
          <summary className="small muted">Where the server has to be told of this page</summary>
          <div className="connection-more">
            <TextField
              label="Client id (optional)"
              mono
              value={clientId}
              hint={`Only where its sign-in lets no page register itself. Register there: ${signInAddress()}`}
              onChange={setClientId}
            />
            <CorsRules who="The server" rules={serverRules(location.origin)} />
          </div>
        </details>
      </form>
    </Dialog>
  );
}

/** Where a sign-in comes back to. */
function signInAddress(): string {
  return new URL("sign-in.html", document.baseURI).href;
}

/** The headers of an MCP server (docs/connections.md, section 2). */
function serverRules(origin: string): string {
  return `Access-Control-Allow-Origin: ${origin}
Access-Control-Allow-Methods: GET, POST, DELETE
Access-Control-Allow-Headers: authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id
Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate`;
}
