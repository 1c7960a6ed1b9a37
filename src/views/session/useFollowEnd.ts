import { useEffect, useRef, useState, type RefObject } from "react";

/** Milliseconds after opening a row in which its growing is not taken for being at the end. */
const SETTLE_MS = 300;

export interface FollowEnd {
  /** The list keeps its end in view while rows arrive and grow. */
  readonly follows: boolean;
  readonly atEnd: boolean;
  /** To be told after every scroll and change of size. */
  readonly moved: (atEnd: boolean) => void;
  readonly followAgain: () => void;
}

/**
 * Whether a list stays at its end: until the person scrolls away or opens a row, whose head must stay where it was
 * pressed; again once they are back at the end.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>): FollowEnd {
  const [follows, setFollows] = useState(true);
  const [atEnd, setAtEnd] = useState(true);
  const openedAt = useRef(-Infinity);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onClick = (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      // Answering the agent makes it go on: the person wants to see how.
      if (button === null || button.closest("[data-goes-on]") !== null) return;
      openedAt.current = performance.now();
      setFollows(false);
    };
    element.addEventListener("click", onClick, { capture: true });
    return () => element.removeEventListener("click", onClick, { capture: true });
  }, [scroller]);
  return {
    follows,
    atEnd,
    moved(isAtEnd) {
      setAtEnd(isAtEnd);
      if (performance.now() - openedAt.current > SETTLE_MS) setFollows(isAtEnd);
    },
    followAgain: () => {
      openedAt.current = -Infinity;
      setFollows(true);
    },
  };
}
