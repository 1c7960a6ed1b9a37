import { useRef, useState, type FormEvent } from "react";
import { shownName, type MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Dialog } from "../widgets/Dialog";
import { FormFooter } from "../widgets/FormFooter";
import { KeyFields } from "./KeyFields";
import { credentialsFrom } from "./mountDraft";
import { useMountForm } from "./mountForm";
import "./mountDialog.css";

export interface CredentialsDialogProps {
  readonly mount: MountView;
  readonly onClose: () => void;
}

/** Asks for the key or password of a store, which no reload outlives. */
export function CredentialsDialog({ mount, onClose }: CredentialsDialogProps) {
  const { mounts } = useWorkbench();
  const fields = useRef<HTMLFormElement>(null);
  const form = useMountForm({ mount, mounts: [], fields });
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { source } = mount;
  const place =
    source.kind === "s3" ? `${source.endpoint ?? ""}/${source.bucket}` : source.kind === "webdav" ? source.url : "";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const credentials = credentialsFrom(form.draft);
    if (busy || form.refuses()) return;
    if (!credentials) {
      fields.current?.querySelector("input")?.focus();
      return setRefused(source.kind === "s3" ? "Write the access key and its secret." : "Write the password.");
    }
    setBusy(true);
    const problem = await mounts.getState().giveMountCredentials(mount.id, credentials);
    setBusy(false);
    setRefused(problem);
    if (problem === undefined) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Key for ${shownName(mount.prefix)}`}
      description={`It is sent to ${shownName(place ?? "")} with every request there, and nowhere else.`}
      footer={
        <FormFooter
          form="credentials-form"
          label={busy ? "Opening…" : "Open"}
          disabled={busy}
          refused={refused}
          onCancel={onClose}
        />
      }
    >
      <form
        id="credentials-form"
        ref={fields}
        className="mount-form"
        noValidate
        onSubmit={(event) => void submit(event)}
        onChange={() => setRefused(undefined)}
      >
        <KeyFields form={form} />
      </form>
    </Dialog>
  );
}
