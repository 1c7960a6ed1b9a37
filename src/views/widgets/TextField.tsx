import { useId, type InputHTMLAttributes, type Ref } from "react";

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  /** Why what is written cannot be taken. */
  readonly error?: string | undefined;
  readonly mono?: boolean;
  readonly hideLabel?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, hint, error, mono = false, hideLabel = false, ref, ...rest } = props;
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : "field-label"}>
        {label}
      </label>
      <input
        id={id}
        ref={ref}
        className={mono ? "input mono" : "input"}
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={error !== undefined}
        {...(note ? { "aria-describedby": `${id}-note` } : {})}
        {...rest}
        onChange={(event) => onChange(event.target.value)}
      />
      {note ? (
        <p id={`${id}-note`} className={error ? "bad small" : "dim small"} {...(error ? { role: "alert" } : {})}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
