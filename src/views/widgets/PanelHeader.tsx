import type { ReactNode } from "react";

export interface PanelHeaderProps {
  readonly title: string;
  /** Said more quietly after the title. */
  readonly detail?: ReactNode;
  /** Controls at the right. */
  readonly children?: ReactNode;
  readonly level?: 2 | 3;
}

export function PanelHeader({ title, detail, children, level = 2 }: PanelHeaderProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="panel-header">
      <Heading className="panel-title">{title}</Heading>
      {detail ? <span className="dim small truncate">{detail}</span> : null}
      {children ? <div className="panel-controls">{children}</div> : null}
    </div>
  );
}
