import { useEffect, useRef, type KeyboardEvent } from "react";
import type { SearchHit } from "../../store";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";
import { useReplayLook, useReplayLookStore } from "./replayLookContext";

const ROW_HEIGHT = 40;

/** Every place where the words stand, in order; choosing one goes there. */
export function SearchHits() {
  const look = useReplayLookStore();
  const hits = useReplayLook((state) => state.hits);
  const hitAt = useReplayLook((state) => state.hitAt);
  const isSearching = useReplayLook((state) => state.isSearching);
  const list = useRef<VirtualListHandle>(null);
  useEffect(() => {
    if (hitAt >= 0) list.current?.showRow(hitAt);
  }, [hitAt]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: hitAt + 1, ArrowUp: hitAt - 1, Home: 0, End: hits.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    look.getState().showHit(Math.max(0, Math.min(hits.length - 1, next)));
  };
  if (hits.length === 0) {
    return (
      <p className="replay-note dim replay-outline">
        {isSearching ? "Searching…" : "Nothing in the session has this in it."}
      </p>
    );
  }
  return (
    <VirtualList
      ref={list}
      className="replay-outline"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has texts only
      role="listbox"
      aria-label="Hits"
      tabIndex={0}
      aria-activedescendant={hitAt >= 0 ? `hit-${hitAt}` : undefined}
      count={hits.length}
      rowHeight={ROW_HEIGHT}
      rowKey={String}
      onKeyDown={onKeyDown}
    >
      {(at) => {
        const hit = hits[at];
        if (hit === undefined) return null;
        return <HitRow hit={hit} at={at} isCurrent={at === hitAt} onChoose={() => look.getState().showHit(at)} />;
      }}
    </VirtualList>
  );
}

interface HitRowProps {
  readonly hit: SearchHit;
  readonly at: number;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

function HitRow({ hit, at, isCurrent, onChoose }: HitRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role -- the list itself has the keys
    <div id={`hit-${at}`} role="option" tabIndex={-1} aria-selected={isCurrent} className="hit-row" onClick={onChoose}>
      <span className="small dim hit-where">
        <span className="truncate">{hit.where}</span>
        <span className="numeric push-right">{`event ${(hit.index + 1).toLocaleString("en")}`}</span>
      </span>
      <span className="small mono hit-text">
        {/* The words themselves stay in view, however much stands before them. */}
        <bdi>{hit.before.slice(-24)}</bdi>
        <mark>{hit.match}</mark>
        <bdi>{hit.after}</bdi>
      </span>
    </div>
  );
}
