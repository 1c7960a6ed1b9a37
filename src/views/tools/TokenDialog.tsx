import { useState, type FormEvent } from "react";
import type { ConnectionView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Dialog } from "../widgets/Dialog";
import { FormFooter } from "../widgets/FormFooter";
import { TextField } from "../widgets/TextField";

export interface TokenDialogProps {
  readonly connection: ConnectionView;
  readonly onClose: () => void;
}

/** Takes a token for a server into this tab's memory. */
export function TokenDialog({ connection, onClose }: TokenDialogProps) {
  const { connections } = useWorkbench();
  const [token, setToken] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() === "") return;
    void connections.getState().setToken(connection.id, token.trim());
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Token for ${connection.name}`}
      description="It is sent to this server alone, held in this tab’s memory, and gone with a reload."
      footer={<FormFooter form="token-form" label="Connect" disabled={token.trim() === ""} onCancel={onClose} />}
    >
      <form id="token-form" onSubmit={submit}>
        <TextField label="Token" type="password" mono value={token} onChange={setToken} />
      </form>
    </Dialog>
  );
}
