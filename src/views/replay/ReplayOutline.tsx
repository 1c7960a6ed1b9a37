import { useEffect, useRef, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";

const ROW_HEIGHT = 26;

/** Turns and steps; the one the replay stands in is chosen, and choosing one goes there. */
export function ReplayOutline() {
  const { replay } = useWorkbench();
  const outline = useStore(replay, (state) => state.outline);
  const current = useStore(replay, (state) => state.outline.findLastIndex((entry) => entry.index <= state.index));
  const list = useRef<VirtualListHandle>(null);
  useEffect(() => {
    if (current >= 0) list.current?.showRow(current);
  }, [current]);
  const go = (index: number) => {
    const entry = outline[Math.max(0, Math.min(outline.length - 1, index))];
    if (entry) replay.getState().seek(entry.index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: outline.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };
  return (
    <VirtualList
      ref={list}
      className="replay-outline"
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={current >= 0 ? `outline-${current}` : undefined}
      count={outline.length}
      rowHeight={ROW_HEIGHT}
      rowKey={(index) => outline[index]?.id ?? String(index)}
      onKeyDown={onKeyDown}
    >
      {(index) => {
        const entry = outline[index];
        if (entry === undefined) return null;
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list itself has the keys
          <div
            id={`outline-${index}`}
            role="treeitem"
            tabIndex={-1}
            aria-level={entry.kind === "turn" ? 1 : 2}
            aria-selected={index === current}
            className={`outline-row outline-${entry.kind}`}
            onClick={() => go(index)}
          >
            {entry.isFailed ? <span className="bad">✕</span> : null}
            <span className="outline-label">{entry.label}</span>
            <span className="truncate dim">{entry.about}</span>
          </div>
        );
      }}
    </VirtualList>
  );
}
