import { useRef } from "react";
import { Button } from "../../widgets/Button";

export interface ReportFileProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** A button that asks for a saved report. */
export function ReportFile({ label, onFile }: ReportFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file may be chosen again.
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
