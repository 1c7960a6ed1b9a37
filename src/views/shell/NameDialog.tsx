import { useState, type FormEvent } from "react";
import { Button } from "../widgets/Button";
import { Dialog } from "../widgets/Dialog";
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
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="name-form" variant="primary" disabled={name.trim() === ""}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id="name-form" onSubmit={submit}>
        <TextField label={label} value={name} onChange={setName} onFocus={(event) => event.target.select()} />
      </form>
    </Dialog>
  );
}
