import { useEffect, useEffectEvent, type RefObject } from "react";

/**
 * Listens to keys that come up from the controls inside an element which is itself no control, such as a list of rows or
 * a form with several fields.
 */
export function useKeyDown(container: RefObject<HTMLElement | null>, onKeyDown: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onKeyDown);
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const listener = (event: KeyboardEvent) => handle(event);
    element.addEventListener("keydown", listener);
    return () => element.removeEventListener("keydown", listener);
  }, [container]);
}
