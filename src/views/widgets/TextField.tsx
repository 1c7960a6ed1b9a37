import type { InputHTMLAttributes, Ref } from "react";
import { Field, type FieldProps } from "./Field";

export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value" | "children">, Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, hint, error, mono = false, hideLabel, ref, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(ties) => (
        <input
          ref={ref}
          className={mono ? "input mono" : "input"}
          value={value}
          spellCheck={false}
          autoComplete="off"
          {...ties}
          {...rest}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
