import { useEffect, useRef, useState, type FormEvent } from "react";
import { messageFromError, sessionFileFromAddress } from "../../store";
import { Button } from "../widgets/Button";
import { Dialog } from "../widgets/Dialog";
import { TextField } from "../widgets/TextField";
import { useSessionState } from "./useSessionState";

export interface SessionAddressDialogProps {
  readonly onImported: ((sessionId: string) => void) | undefined;
  readonly onClose: () => void;
}

/** Asks for the address of a saved session and imports what is there. Closing it stops the request. */
export function SessionAddressDialog({ onImported, onClose }: SessionAddressDialogProps) {
  const importSession = useSessionState((state) => state.importSession);
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState<string>();
  const [fetching, setFetching] = useState(false);
  const request = useRef<AbortController>(undefined);
  useEffect(() => () => request.current?.abort(), []);

  const take = async () => {
    const controller = new AbortController();
    request.current = controller;
    setProblem(undefined);
    setFetching(true);
    try {
      const file = await sessionFileFromAddress(address, { signal: controller.signal });
      const sessionId = await importSession(file);
      if (controller.signal.aborted) return;
      onClose();
      if (sessionId !== undefined) onImported?.(sessionId);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(messageFromError(error));
    } finally {
      setFetching(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!fetching) void take();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import from an address"
      description="A saved session, of this program or another agent, whose server lets other pages read it. Only data is taken: nothing of it runs."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="session-address" variant="primary" disabled={fetching || address.trim() === ""}>
            {fetching ? "Fetching…" : "Import"}
          </Button>
        </>
      }
    >
      <form id="session-address" onSubmit={submit}>
        <TextField
          label="Address"
          mono
          inputMode="url"
          placeholder="https://"
          value={address}
          error={problem}
          onChange={(next) => {
            setAddress(next);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
