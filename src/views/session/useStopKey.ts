import { useEffect, useEffectEvent } from "react";

/** What takes Esc before the run does: whatever lies open over the page or in the editor. */
const OPEN_OVERLAYS =
  '[role="dialog"], [role="alertdialog"], [role="menu"], .monaco-editor .find-widget.visible, .suggest-widget.visible';

/** Esc stops what runs, unless something that lies open takes it first. */
export function useStopKey(isRunning: () => boolean, stop: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isRunning()) return;
    if (document.querySelector(OPEN_OVERLAYS)) return;
    event.preventDefault();
    stop();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
