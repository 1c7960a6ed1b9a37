import type { ReactNode } from "react";
import type { ButtonProps } from "./Button";
import { Tooltip } from "./Tooltip";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon" | "variant" | "size"> {
  /** What it does, for the tooltip and for a screen reader. */
  readonly label: string;
  readonly icon: ReactNode;
}

/** A button that is only a sign; its name is its tooltip. */
export function IconButton({ label, icon, keys, className = "", ref, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys ? { keys } : {})}>
      <button type="button" ref={ref} aria-label={label} className={`icon-button ${className}`} {...rest}>
        {icon}
      </button>
    </Tooltip>
  );
}
