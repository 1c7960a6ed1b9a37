import { Button } from "./Button";

export interface FormFooterProps {
  /** The id of the form in the dialog's body. */
  readonly form: string;
  /** What submitting it does. */
  readonly label: string;
  readonly disabled?: boolean;
  /** Why what was submitted was not taken. */
  readonly refused?: string | undefined;
  readonly onCancel: () => void;
}

/** The foot of a dialog that holds a form. */
export function FormFooter({ form, label, disabled = false, refused, onCancel }: FormFooterProps) {
  return (
    <>
      {refused === undefined ? null : (
        <p className="dialog-refused bad small" role="alert">
          {refused}
        </p>
      )}
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={form} variant="primary" disabled={disabled}>
        {label}
      </Button>
    </>
  );
}
