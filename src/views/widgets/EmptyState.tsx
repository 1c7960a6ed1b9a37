import type { ReactNode } from "react";

export interface EmptyStateProps {
  /** One sentence that says what belongs here. */
  readonly text: string;
  /** One button. */
  readonly action?: ReactNode;
}

export function EmptyState({ text, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <p className="muted">{text}</p>
      {action}
    </div>
  );
}
