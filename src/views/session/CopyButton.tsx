import { useCopy } from "./useCopy";

export interface CopyButtonProps {
  /** Asked when the button is pressed. */
  readonly text: () => string;
  /** What is copied, for a screen reader. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  return (
    <button type="button" className="small-button" aria-label={`Copy ${what}`} onClick={() => copy(text())}>
      {copied ? "Copied" : "Copy"}
    </button>
  );
}
