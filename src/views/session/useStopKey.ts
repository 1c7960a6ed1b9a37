import { useEffect, useEffectEvent } from "react";
import { isOverlayOpen } from "../widgets/isOverlayOpen";

/** Esc stops what runs, unless something that lies open takes it first. */
export function useStopKey(isRunning: () => boolean, stop: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isRunning()) return;
    if (isOverlayOpen()) return;
    event.preventDefault();
    stop();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
