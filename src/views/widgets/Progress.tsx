import { Button } from "./Button";

export interface ProgressProps {
  /** What goes on, e.g. `Importing repo.zip`. */
  readonly label: string;
  /** Said after the label, e.g. `120 of 412 files`. */
  readonly detail?: string;
  /** 0…1; absent while the end is not known. */
  readonly share?: number;
  readonly onStop?: () => void;
}

export function Progress({ label, detail, share, onStop }: ProgressProps) {
  return (
    <div className="progress">
      <div className="progress-words">
        <span className="truncate">{label}</span>
        {detail ? <span className="dim small numeric">{detail}</span> : null}
        {onStop ? (
          <Button size="small" className="push-right" onClick={onStop}>
            Stop
          </Button>
        ) : null}
      </div>
      <progress
        className="progress-bar"
        aria-label={label}
        max={1}
        {...(share === undefined ? {} : { value: share })}
      />
    </div>
  );
}
