import { useRef, useState, type FormEvent } from "react";
import { useStore } from "zustand";
import { shownName, type MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Dialog } from "../widgets/Dialog";
import { FormFooter } from "../widgets/FormFooter";
import { TextField } from "../widgets/TextField";
import { KindList, kindProblems } from "./KindList";
import { draftReadOnly, newMountFrom, patchFrom } from "./mountDraft";
import { useMountForm, type MountForm } from "./mountForm";
import { kindLook } from "./mountKinds";
import { SourceFields, SourceNeeds } from "./SourceFields";
import "./mountDialog.css";

export interface MountDialogProps {
  /** The mount to edit; absent: a new one. */
  readonly mount: MountView | undefined;
  readonly onClose: () => void;
}

/** Adds a mount of any kind, or changes one. Opening and filling it go on in its row of the table. */
export function MountDialog({ mount, onClose }: MountDialogProps) {
  const { mounts: store } = useWorkbench();
  const mounts = useStore(store, (state) => state.mounts);
  const fields = useRef<HTMLFormElement>(null);
  const form = useMountForm({ mount, mounts, fields });
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const look = kindLook(form.draft.kind);

  const submit = async () => {
    if (busy || form.refuses()) return;
    setBusy(true);
    const actions = store.getState();
    const fresh = newMountFrom(form.draft, form.others);
    const problem = mount
      ? await actions.editMount(mount.id, patchFrom(form.draft, mount))
      : fresh && (await actions.addMount(fresh));
    setBusy(false);
    setRefused(problem);
    if (problem === undefined) onClose();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={mount ? `Edit ${shownName(mount.prefix)}` : "Add a mount"}
      width={mount ? 480 : 700}
      footer={
        <FormFooter
          form="mount-form"
          label={mount ? "Save" : "Add"}
          disabled={busy}
          refused={refused}
          onCancel={onClose}
        />
      }
    >
      <form
        id="mount-form"
        ref={fields}
        className={mount ? "mount-form" : "mount-form mount-form-new"}
        noValidate
        onSubmit={onSubmit}
        onChange={() => setRefused(undefined)}
      >
        {mount ? null : (
          <KindList
            kind={form.draft.kind}
            problems={kindProblems(form.others)}
            onChange={(kind) => form.change({ kind })}
          />
        )}
        <div className="mount-fields">
          <p className="kind-about muted">
            <look.icon size={15} aria-hidden="true" />
            <span>{look.about}</span>
          </p>
          <SourceFields form={form} />
          <TextField
            label="Path"
            mono
            value={form.prefix}
            error={form.problem("prefix")}
            readOnly={form.draft.kind === "host"}
            hint={
              form.draft.kind === "host"
                ? "The host's commands find it there, so it stays."
                : "Where its files stand in the one tree the agent sees. The longest path owns what lies under it."
            }
            onChange={(prefix) => form.change({ prefix })}
            onBlur={() => form.leave("prefix")}
          />
          <ReadOnlyField form={form} />
          <SourceNeeds form={form} />
        </div>
      </form>
    </Dialog>
  );
}

function ReadOnlyField({ form }: { readonly form: MountForm }) {
  const { draft, mount } = form;
  const reason =
    draft.kind === "overlay" ? "An overlay is for reading: write to its mounts themselves." : mount?.readOnlyReason;
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        checked={reason !== undefined || draftReadOnly(draft)}
        disabled={reason !== undefined}
        onChange={(event) => form.change({ readOnly: event.target.checked })}
      />
      <span>
        Read-only
        <br />
        <span className="dim small">
          {reason ?? "Neither the agent nor you can write here until this is taken off."}
        </span>
      </span>
    </label>
  );
}
