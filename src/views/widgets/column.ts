import type { ReactNode } from "react";

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
  /** In px, before the person has chosen; absent: what the others leave. */
  readonly defaultWidth?: number;
  /** In px. */
  readonly minWidth: number;
  /** Drawn much smaller than its least width, it folds away; its edge stays to draw it out again. */
  readonly collapsible?: boolean;
}
