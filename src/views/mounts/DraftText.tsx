import type { InputHTMLAttributes } from "react";
import { TextField } from "../widgets/TextField";
import type { MountDraft } from "./mountDraft";
import type { MountForm } from "./mountForm";

/** Fields of a draft that hold text. */
type TextKey = {
  [Key in keyof MountDraft]-?: MountDraft[Key] extends string ? (string extends MountDraft[Key] ? Key : never) : never;
}[keyof MountDraft];

export interface DraftTextProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "placeholder" | "inputMode" | "type"
> {
  readonly form: MountForm;
  readonly field: TextKey;
  readonly label: string;
  readonly hint?: string;
}

/** One line of text of a mount's form. */
export function DraftText({ form, field, label, hint, ...rest }: DraftTextProps) {
  return (
    <TextField
      label={label}
      mono
      value={form.draft[field]}
      error={form.problem(field)}
      onChange={(value) => form.change({ [field]: value })}
      onBlur={() => form.leave(field)}
      {...(hint === undefined ? {} : { hint })}
      {...rest}
    />
  );
}
