import type { ReactNode } from "react";

export interface TagProps {
  readonly children: ReactNode;
  readonly tone?: "plain" | "warn" | "bad" | "ok" | "accent";
  readonly title?: string;
}

/** A word in a frame. */
export function Tag({ children, tone = "plain", title }: TagProps) {
  return (
    <span className={`tag tag-${tone}`} title={title}>
      {children}
    </span>
  );
}
