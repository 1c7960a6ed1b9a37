import { RotateCcw } from "lucide-react";
import { Button } from "../../widgets/Button";

export interface RunAgainButtonProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows what can be run again in place of the columns, and hides it. */
export function RunAgainButton({ isOpen, onToggle }: RunAgainButtonProps) {
  return (
    <Button
      size="small"
      aria-pressed={isOpen}
      icon={<RotateCcw size={14} aria-hidden="true" />}
      title="Runs the recorded calls again on a copy of a tree and compares what they come to"
      onClick={onToggle}
    >
      Run again…
    </Button>
  );
}
