import { useId } from "react";

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint: string;
  readonly error?: string | undefined;
}

/** A text of a few lines. */
export function TextArea({ label, value, onChange, hint, error }: TextAreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-note`} className={error ? "bad small" : "dim small"} {...(error ? { role: "alert" } : {})}>
        {error ?? hint}
      </p>
    </div>
  );
}
