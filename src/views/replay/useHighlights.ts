import { useEffect } from "react";
import { useReplayLook } from "./replayLookContext";

/** Name under which the theme paints what was searched for. */
const NAME = "replay-search";

/** Places marked at once: more are on no screen. */
const MOST_RANGES = 2_000;

/** Where the session and the event show the words that are searched for. */
const SHOWN_IN = ".replay .session-body, .replay .event-view, .replay .file-lines";

/** Paints the words that are searched for wherever they are shown, without touching what shows them. */
export function useHighlights(): void {
  const words = useReplayLook((state) => state.words);
  useEffect(() => {
    const wanted = words.trim() === "" ? "" : words.toLocaleLowerCase();
    const root = document.querySelector(".replay");
    // Older browsers have no such thing: there the list of hits shows them.
    if (wanted === "" || root === null || !("highlights" in CSS)) return undefined;
    let isWaiting = false;
    const paint = () => {
      isWaiting = false;
      CSS.highlights.set(NAME, new Highlight(...rangesOf(wanted)));
    };
    const observer = new MutationObserver(() => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(paint);
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    paint();
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [words]);
}

function rangesOf(wanted: string): Range[] {
  const ranges: Range[] = [];
  for (const shown of document.querySelectorAll(SHOWN_IN)) {
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null && ranges.length < MOST_RANGES) addRanges(ranges, walker.currentNode, wanted);
  }
  return ranges;
}

function addRanges(ranges: Range[], node: Node, wanted: string): void {
  const text = (node.nodeValue ?? "").toLocaleLowerCase();
  // Letters that grow in lower case would move what comes after them.
  if (text.length !== node.nodeValue?.length) return;
  for (
    let at = text.indexOf(wanted);
    at >= 0 && ranges.length < MOST_RANGES;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    ranges.push(range);
  }
}
