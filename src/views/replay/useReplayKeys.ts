import { useEffect, useEffectEvent } from "react";
import { useWorkbench } from "../workbenchContext";
import { isOverlayOpen } from "../widgets/isOverlayOpen";

/** Controls that have a use of their own for the keys of a replay. */
const CONTROLS =
  'button, a, select, summary, [role="tree"], [role="listbox"], [role="menu"], [role="dialog"], [role="separator"]';

/** Whether keys belong to what a person writes. */
function isWriting(target: Element): boolean {
  return (
    target.matches('textarea, input:not([type="range"], [type="radio"])') ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/** `[` `]` step, Space plays, `/` `n` `N` search, `f` filters, `g` goes to an event; arrows, Home and End go by events where no list or control takes them. */
export function useReplayKeys(): void {
  const { replay } = useWorkbench();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isWriting(target)) return;
    if (isOverlayOpen()) return;
    const { index, eventCount, isPlaying, seek, seekStep, play, pause } = replay.getState();
    const { ask } = replay.getState();
    const anywhere: Record<string, () => void> = {
      "[": () => seekStep(-1),
      "]": () => seekStep(1),
      "/": () => ask("search"),
      n: () => ask("next-hit"),
      N: () => ask("previous-hit"),
      f: () => ask("filter"),
      g: () => ask("jump"),
    };
    const elsewhere: Record<string, () => void> = {
      " ": () => (isPlaying ? pause() : play()),
      ArrowLeft: () => seek(index - 1),
      ArrowRight: () => seek(index + 1),
      Home: () => seek(-1),
      End: () => seek(eventCount - 1),
    };
    const action = anywhere[event.key] ?? (target.closest(CONTROLS) ? undefined : elsewhere[event.key]);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
