import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Kbd } from "./Kbd";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: "plain" | "primary" | "quiet" | "danger";
  readonly size?: "normal" | "small";
  readonly icon?: ReactNode;
  /** The chord that does the same, e.g. `mod+Enter`; shown beside the words. */
  readonly keys?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The chord as `aria-keyshortcuts` spells it. */
function ariaKeys(keys: string): string {
  return keys.replace("mod", /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Meta" : "Control").replace("Esc", "Escape");
}

export function Button(props: ButtonProps) {
  const { variant = "plain", size = "normal", icon, keys, className = "", children, ref, ...rest } = props;
  return (
    <button
      type="button"
      ref={ref}
      className={`button button-${variant} button-${size} ${className}`}
      {...(keys ? { "aria-keyshortcuts": ariaKeys(keys) } : {})}
      {...rest}
    >
      {icon}
      {children}
      {keys ? <Kbd keys={keys} /> : null}
    </button>
  );
}
