import { use, useId } from "react";
import { useLoaded } from "../../session/useLoaded";
import { useWorkbench } from "../../workbenchContext";
import { Field } from "../../widgets/Field";
import type { EditChoiceProps } from "./forkDraft";
import { TextEdit } from "./TextEdit";

/** Paths a browser's list of suggestions can bear. */
const SUGGESTED_PATHS = 2_000;

/** A file of the tree at this point: another text, or none. */
export function FileEdit({ plan, draft, onChange }: EditChoiceProps) {
  const forks = use(useWorkbench().forks());
  const listId = useId();
  const paths = useLoaded(draft.files, () => forks.paths(plan, draft.files));
  const known = paths.state === "loaded" ? paths.value : [];
  const take = async (path: string) => {
    onChange({ path });
    if (!known.includes(path)) return;
    const text = await forks.text(plan, draft.files, path).catch(() => undefined);
    onChange({ contents: text ?? "" });
  };
  const isNew = draft.path !== "" && paths.state === "loaded" && !known.includes(draft.path);
  return (
    <>
      <Field
        label="Path"
        hint={
          paths.state === "failed"
            ? paths.message
            : isNew
              ? "There is no such file at this point: it would be a new one."
              : "The session goes on after this event’s step, with the file like this."
        }
      >
        {(ties) => (
          <input
            {...ties}
            className="input mono"
            list={listId}
            autoComplete="off"
            spellCheck={false}
            value={draft.path}
            onChange={({ target }) => void take(target.value)}
          />
        )}
      </Field>
      <datalist id={listId}>
        {known.slice(0, SUGGESTED_PATHS).map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </datalist>
      <TextEdit
        label="What it holds instead"
        value={draft.contents}
        disabled={draft.isDeleted}
        onChange={(contents) => onChange({ contents })}
        isCode
      />
      <label className="checkbox">
        <input
          type="checkbox"
          checked={draft.isDeleted}
          onChange={({ target }) => onChange({ isDeleted: target.checked })}
        />
        <span>The file is not there</span>
      </label>
    </>
  );
}
