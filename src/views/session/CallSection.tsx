import type { ReactNode } from "react";

export interface CallSectionProps {
  readonly title: ReactNode;
  readonly buttons?: ReactNode;
  readonly children: ReactNode;
}

/** A part of what is told of a call: a quiet title, and what it is about. */
export function CallSection({ title, buttons, children }: CallSectionProps) {
  return (
    <div className="call-section">
      <div className="call-section-head">
        <span className="truncate">{title}</span>
        {buttons ? <span className="push-right">{buttons}</span> : null}
      </div>
      {children}
    </div>
  );
}
