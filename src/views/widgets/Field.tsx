import { useId, type ReactNode } from "react";

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Why what is written cannot be taken; it stands where the hint does. */
  readonly error?: string | undefined;
  readonly hideLabel?: boolean | undefined;
  /** The input, given what ties it to its label and its note. */
  readonly children: (ties: FieldTies) => ReactNode;
}

interface FieldTies {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
}

/** An input with its label above and a note below. */
export function Field({ label, hint, error, hideLabel = false, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : "field-label"}>
        {label}
      </label>
      {children({ id, "aria-invalid": error !== undefined, ...(note ? { "aria-describedby": `${id}-note` } : {}) })}
      {note ? (
        <p id={`${id}-note`} className={error ? "bad small" : "dim small"} {...(error ? { role: "alert" } : {})}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
