import { useId, useState, type FormEvent } from "react";
import { useStore } from "zustand";
import { messageFromError, newSkillPath, newSkillText, skillFolderProblem } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { TextField } from "../widgets/TextField";

/** Makes a SKILL.md in a folder of its own on a mount that takes writes, and opens it. */
export function NewSkillForm({ close }: { readonly close: () => void }) {
  const { mounts, editor } = useWorkbench();
  const views = useStore(mounts, (state) => state.mounts);
  const writable = views.filter(({ readOnly }) => !readOnly);
  const [prefix, setPrefix] = useState(writable[0]?.prefix ?? "/");
  const [folder, setFolder] = useState("");
  const [failure, setFailure] = useState<string>();
  const id = useId();
  const path = newSkillPath(prefix, folder || "…");
  const make = async (event: FormEvent) => {
    event.preventDefault();
    const problem =
      skillFolderProblem(folder) ?? (mounts.getState().snapshot.file(path) ? `${path} is there already.` : undefined);
    if (problem !== undefined) return setFailure(problem);
    try {
      await mounts.getState().write(path, newSkillText(folder));
      close();
      mounts.getState().reveal(path);
      await editor.getState().open(path);
    } catch (error) {
      setFailure(messageFromError(error));
    }
  };
  return (
    <form className="new-skill" onSubmit={(event) => void make(event)}>
      <TextField
        label="Folder of the new skill"
        value={folder}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a person asked for this field
        autoFocus
        mono
        placeholder="audit"
        onChange={(next) => {
          setFolder(next);
          setFailure(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          close();
        }}
        error={failure}
        hint={path}
      />
      {writable.length > 1 ? (
        <div className="field">
          <label htmlFor={id} className="field-label">
            Mount
          </label>
          <select id={id} className="input" value={prefix} onChange={(event) => setPrefix(event.target.value)}>
            {writable.map((mount) => (
              <option key={mount.id} value={mount.prefix}>
                {mount.prefix}
              </option>
            ))}
          </select>
        </div>
      ) : null}
      <span className="new-skill-buttons">
        <Button type="submit" variant="primary" size="small">
          Make it
        </Button>
        <Button size="small" onClick={close}>
          Cancel
        </Button>
      </span>
    </form>
  );
}
