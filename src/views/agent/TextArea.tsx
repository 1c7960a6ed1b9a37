import { Field, type FieldProps } from "../widgets/Field";

export interface TextAreaProps extends Pick<FieldProps, "label" | "hint" | "error"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text of a few lines. */
export function TextArea({ value, onChange, ...field }: TextAreaProps) {
  return (
    <Field {...field}>
      {(ties) => (
        <textarea
          className="input"
          rows={2}
          value={value}
          {...ties}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
