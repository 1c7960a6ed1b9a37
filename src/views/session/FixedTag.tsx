import type { ReactNode } from "react";
import { Tooltip } from "../widgets/Tooltip";

export interface FixedTagProps {
  readonly pressed: boolean;
  readonly children: ReactNode;
}

/** A choice that was made when the session began: it looks off, and says on hover and focus why. */
export function FixedTag({ pressed, children }: FixedTagProps) {
  return (
    <Tooltip text="Fixed when a session begins: start a new session to change it.">
      <button type="button" className="tag-toggle" aria-pressed={pressed} aria-disabled="true">
        {children}
      </button>
    </Tooltip>
  );
}
