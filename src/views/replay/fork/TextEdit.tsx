import { Field } from "../../widgets/Field";

export interface TextEditProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isCode?: boolean;
  readonly disabled?: boolean;
}

/** A text of several lines. */
export function TextEdit({ label, hint, value, onChange, isCode = false, disabled = false }: TextEditProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(ties) => (
        <textarea
          {...ties}
          className={isCode ? "input mono" : "input"}
          rows={7}
          spellCheck={!isCode}
          value={value}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
