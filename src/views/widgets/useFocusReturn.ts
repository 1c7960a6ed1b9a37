import { useRef } from "react";

export interface FocusReturn {
  /** To be called when the window opens, before it takes the focus. */
  readonly remember: () => void;
  /** To be called when it has closed. */
  readonly giveBack: (event: Event) => void;
}

/**
 * Gives the focus back, once a window is closed, to what had it before. Radix does so only for windows that have a
 * trigger of their own.
 */
export function useFocusReturn(): FocusReturn {
  const before = useRef<HTMLElement>(undefined);
  return {
    remember: () => {
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && focused !== document.body) before.current = menuTrigger(focused) ?? focused;
    },
    giveBack: (event) => {
      event.preventDefault();
      before.current?.focus();
    },
  };
}

/** A menu that opened the window is gone when that closes; the button that opened the menu is still there. */
function menuTrigger(focused: HTMLElement): HTMLElement | undefined {
  const trigger = focused.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  return trigger ? (document.getElementById(trigger) ?? undefined) : undefined;
}
