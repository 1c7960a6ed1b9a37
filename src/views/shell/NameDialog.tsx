import { useState, type FormEvent } from "react";
import { Dialog } from "../widgets/Dialog";
import { FormFooter } from "../widgets/FormFooter";
import { TextField } from "../widgets/TextField";

export interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly name: string;
  readonly confirmLabel: string;
  readonly onConfirm: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for one name. */
export function NameDialog({ title, label, name: first, confirmLabel, onConfirm, onClose }: NameDialogProps) {
  const [name, setName] = useState(first);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onClose();
    onConfirm(name.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={<FormFooter form="name-form" label={confirmLabel} disabled={name.trim() === ""} onCancel={onClose} />}
    >
      <form id="name-form" onSubmit={submit}>
        <TextField label={label} value={name} onChange={setName} onFocus={(event) => event.target.select()} />
      </form>
    </Dialog>
  );
}
