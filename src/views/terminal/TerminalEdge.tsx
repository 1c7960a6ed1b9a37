import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { browserMemory } from "../widgets/browserMemory";

/** Px; remembered for this browser. */
export interface PanelHeight {
  readonly px: number;
  readonly set: (px: number) => void;
}

const KEY = "terminal-height";
const DEFAULT_PX = 260;
const LEAST_PX = 120;
const STEP_PX = 24;

export function usePanelHeight(): PanelHeight {
  const [px, setPx] = useState(() => {
    const remembered = Number(browserMemory.get(KEY));
    return Number.isFinite(remembered) && remembered >= LEAST_PX ? remembered : DEFAULT_PX;
  });
  return {
    px,
    set(next) {
      const fits = Math.round(Math.max(LEAST_PX, Math.min(next, window.innerHeight * 0.7)));
      browserMemory.set(KEY, String(fits));
      setPx(fits);
    },
  };
}

/** The panel's upper edge: dragged, or moved by arrows. */
export function TerminalEdge({ height }: { readonly height: PanelHeight }) {
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const target = event.currentTarget;
    target.setPointerCapture(event.pointerId);
    const from = { y: event.clientY, px: height.px };
    const onMove = (move: globalThis.PointerEvent) => height.set(from.px + from.y - move.clientY);
    target.addEventListener("pointermove", onMove);
    target.addEventListener("lostpointercapture", () => target.removeEventListener("pointermove", onMove), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    height.set(height.px + step);
  };
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule of text takes no focus and no keys
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the terminal"
      aria-valuenow={height.px}
      aria-valuemin={LEAST_PX}
      aria-valuemax={4096}
      className="terminal-edge"
      title="Drag, or arrow keys"
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
