import { useState, type FormEvent } from "react";
import type { MountKind, MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { Dialog } from "../widgets/Dialog";
import { TextField } from "../widgets/TextField";

export interface MountDialogProps {
  /** The mount to edit; absent: a new one. */
  readonly mount: MountView | undefined;
  readonly onClose: () => void;
}

type OfferedKind = MountKind & ("idb" | "memory");

const KINDS: readonly { readonly kind: OfferedKind; readonly label: string; readonly hint: string }[] = [
  { kind: "idb", label: "IndexedDB", hint: "Kept in this browser until you delete it." },
  { kind: "memory", label: "Memory", hint: "Fast and gone: begins anew each time the page loads." },
];

export function MountDialog({ mount, onClose }: MountDialogProps) {
  const { mounts } = useWorkbench();
  const [prefix, setPrefix] = useState(mount?.prefix ?? "/");
  const [kind, setKind] = useState<OfferedKind>("idb");
  const [readOnly, setReadOnly] = useState(mount?.readOnly ?? false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = async () => {
    const actions = mounts.getState();
    const refused = mount
      ? await actions.editMount(mount.id, { prefix, readOnly })
      : await actions.addMount({ prefix, kind, readOnly });
    setProblem(refused);
    if (!refused) onClose();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={mount ? `Edit ${mount.prefix}` : "Add a mount"}
      description="A mount is a tree of files at a path of the one tree the agent sees. The longest path owns what lies under it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="mount-form" variant="primary">
            {mount ? "Save" : "Add"}
          </Button>
        </>
      }
    >
      <form id="mount-form" className="mount-form" onSubmit={onSubmit}>
        <TextField
          label="Path"
          mono
          value={prefix}
          onChange={(next) => {
            setPrefix(next);
            setProblem(undefined);
          }}
          error={problem}
          hint="Where its files appear, e.g. /repo"
        />
        {mount ? null : <KindField kind={kind} onChange={setKind} />}
        <label className="checkbox">
          <input type="checkbox" checked={readOnly} onChange={(event) => setReadOnly(event.target.checked)} />
          <span>
            Read-only
            <br />
            <span className="dim small">Neither the agent nor you can write here until this is taken off.</span>
          </span>
        </label>
      </form>
    </Dialog>
  );
}

interface KindFieldProps {
  readonly kind: OfferedKind;
  readonly onChange: (kind: OfferedKind) => void;
}

function KindField({ kind, onChange }: KindFieldProps) {
  return (
    <fieldset className="kind-field">
      <legend className="field-label">Kept in</legend>
      {KINDS.map((choice) => (
        <label key={choice.kind} className="checkbox">
          <input type="radio" name="mount-kind" checked={kind === choice.kind} onChange={() => onChange(choice.kind)} />
          <span>
            {choice.label}
            <br />
            <span className="dim small">{choice.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
