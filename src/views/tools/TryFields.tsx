import { useId, useState } from "react";
import { useStore } from "zustand";
import type { TryField } from "../../store";
import { useWorkbench } from "../workbenchContext";

export interface TryFieldsProps {
  readonly fields: readonly TryField[];
  readonly texts: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, text: string) => void;
}

/** Optional arguments that are shown without being asked for: fewer than these need no folding. */
const FEW = 2;

/** The arguments of a tool, the required ones first; many optional ones stay folded until they are wanted. */
export function TryFields({ fields, texts, problems, onChange }: TryFieldsProps) {
  const [all, setAll] = useState(false);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const isShown = ({ name, isRequired }: TryField) =>
    all || isRequired || optional.length <= FEW || (texts[name] ?? "") !== "";
  const hidden = fields.filter((field) => !isShown(field));
  if (fields.length === 0) return <p className="try-none small dim">It takes no arguments.</p>;
  return (
    <div className="try-fields">
      {fields.filter(isShown).map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          text={texts[field.name] ?? ""}
          problem={problems[field.name]}
          onChange={(text) => onChange(field.name, text)}
        />
      ))}
      {hidden.length === 0 ? null : (
        <button
          type="button"
          className="link-button muted small try-more truncate"
          aria-expanded={false}
          onClick={() => setAll(true)}
        >
          {`${hidden.length} optional: ${hidden.map(({ name }) => name).join(", ")} ›`}
        </button>
      )}
    </div>
  );
}

interface FieldRowProps {
  readonly field: TryField;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

function FieldRow({ field, text, problem, onChange }: FieldRowProps) {
  const id = useId();
  const { name, isRequired, description, words } = field;
  return (
    <div className="try-field">
      <label htmlFor={id} className="try-label">
        <span className="mono">{name}</span>
        <span className="small dim">{isRequired ? words : `${words}, optional`}</span>
      </label>
      <div className="try-value">
        <FieldInput id={id} field={field} text={text} isBad={problem !== undefined} onChange={onChange} />
        {problem === undefined ? null : (
          <span className="bad small" role="alert">
            {problem}
          </span>
        )}
        <span id={`${id}-about`} className="small dim">
          {description}
          {name === "path" && text === "" ? <SelectedPath onUse={onChange} /> : null}
        </span>
      </div>
    </div>
  );
}

/** What is chosen in the file tree, at a press. */
function SelectedPath({ onUse }: { readonly onUse: (path: string) => void }) {
  const { mounts } = useWorkbench();
  const selected = useStore(mounts, (state) => state.selected);
  if (selected === undefined) return null;
  return (
    <>
      {" "}
      <button type="button" className="link-button try-use" onClick={() => onUse(selected)}>
        {`use ${selected}`}
      </button>
    </>
  );
}

interface FieldInputProps extends Pick<FieldRowProps, "field" | "text" | "onChange"> {
  readonly id: string;
  readonly isBad: boolean;
}

function FieldInput({ id, field, text, isBad, onChange }: FieldInputProps) {
  const { kind, choices, isRequired } = field;
  const common = {
    id,
    className: "input mono",
    value: text,
    "aria-invalid": isBad,
    "aria-required": isRequired,
    "aria-describedby": `${id}-about`,
  };
  switch (kind) {
    case "choice":
    case "boolean":
      return (
        <select {...common} onChange={(event) => onChange(event.target.value)}>
          <option value="">{isRequired ? "choose…" : "left out"}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {shownChoice(choice)}
            </option>
          ))}
        </select>
      );
    case "line":
    case "number":
    case "integer":
      return (
        <input
          {...common}
          spellCheck={false}
          autoComplete="off"
          {...(kind === "line" ? {} : { inputMode: "decimal" })}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    default:
      return (
        <textarea
          {...common}
          className="input mono try-area"
          rows={kind === "lines" ? 1 : 2}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

/** A text without its quotes. */
function shownChoice(choice: string): string {
  const value: unknown = JSON.parse(choice);
  return typeof value === "string" ? value : choice;
}
