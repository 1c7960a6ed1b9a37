import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { targetOf, type OutlineNode } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";
import { useReplayLook, useReplayLookStore } from "./replayLookContext";

const ROW_HEIGHT = 26;

/** Turns, steps, calls and all that happened between; the line the replay stands in is chosen, and choosing one goes there. */
export function ReplayOutline() {
  const look = useReplayLookStore();
  const { rows, found, parents, open } = useReplayLook((state) => state.shown);
  const isReading = useReplayLook((state) => state.isReading);
  const { current, choose } = useCurrentRow(rows);
  const list = useRef<VirtualListHandle>(null);
  useEffect(() => {
    if (current >= 0) list.current?.showRow(current);
  }, [current]);
  const act = (node: OutlineNode) => {
    choose(node);
    if (node.kind === "subagent") look.getState().toggle(node);
    else look.getState().goTo({ sessionId: node.sessionId, index: targetOf(node) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const node = rows[current];
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: rows.length - 1 }[event.key];
    const folds = { ArrowRight: true, ArrowLeft: false }[event.key];
    const canFold = node !== undefined && parents.has(node.id) && found === undefined;
    if (next !== undefined) walk(rows[Math.max(0, Math.min(rows.length - 1, next))]);
    else if (folds !== undefined && canFold && open.has(node.id) !== folds) look.getState().toggle(node);
    else if (event.key === "ArrowLeft") walk(parentOf(rows, current));
    else if (event.key === "Enter" && node !== undefined) act(node);
    else if (event.key === "*") look.getState().toggleAll(true);
    else if (folds === undefined) return;
    event.preventDefault();
  };
  /** A line of another session is only stood on: Enter opens that one. */
  const walk = (node: OutlineNode | undefined) => {
    if (node === undefined) return;
    choose(node);
    if (node.sessionId === undefined) look.getState().goTo({ index: targetOf(node) });
  };
  if (rows.length === 0) {
    const nothing = found === undefined ? "No turn yet." : "Nothing here is what the filter asks for.";
    return <p className="replay-note dim replay-outline">{isReading ? "Reading…" : nothing}</p>;
  }
  return (
    <VirtualList
      ref={list}
      className="replay-outline"
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={current >= 0 ? `outline-${current}` : undefined}
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      rowKey={(at) => rows[at]?.id ?? String(at)}
      onKeyDown={onKeyDown}
    >
      {(at) => {
        const node = rows[at];
        return node === undefined ? null : (
          <OutlineRow
            node={node}
            at={at}
            isCurrent={at === current}
            open={parents.has(node.id) ? open.has(node.id) : undefined}
            onGo={() => act(node)}
            onToggle={() => look.getState().toggle(node)}
          />
        );
      }}
    </VirtualList>
  );
}

/** The line a person stands on as long as the replay does too; else the one its event belongs to. */
function useCurrentRow(rows: readonly OutlineNode[]) {
  const { replay } = useWorkbench();
  const index = useStore(replay, (state) => state.index);
  const [chosen, setChosen] = useState<{ readonly id: string; readonly index: number }>();
  const chosenAt = chosen === undefined ? -1 : rows.findIndex(({ id }) => id === chosen.id);
  const isThere = chosenAt >= 0 && chosen?.index === index;
  return {
    current: isThere ? chosenAt : lastAt(rows, index),
    choose: (node: OutlineNode) =>
      setChosen({ id: node.id, index: node.sessionId === undefined ? targetOf(node) : index }),
  };
}

interface OutlineRowProps {
  readonly node: OutlineNode;
  readonly at: number;
  readonly isCurrent: boolean;
  /** Absent where nothing is below. */
  readonly open: boolean | undefined;
  readonly onGo: () => void;
  readonly onToggle: () => void;
}

const SIGNS: { readonly [kind in OutlineNode["kind"]]?: string } = {
  compaction: "⇣",
  interruption: "■",
  subagent: "⤷",
};

function OutlineRow({ node, at, isCurrent, open, onGo, onToggle }: OutlineRowProps) {
  const sign = node.isFailed ? "✕" : SIGNS[node.kind];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list itself has the keys
    <div
      id={`outline-${at}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={node.level}
      aria-selected={isCurrent}
      {...(open === undefined ? {} : { "aria-expanded": open })}
      className={`outline-row outline-${node.kind}`}
      style={{ paddingLeft: 12 + Math.min(node.level - 1, 8) * 14 }}
      title={node.about === "" ? undefined : node.about}
      onClick={onGo}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- → and ← of the list do the same */}
      <span
        className="outline-fold"
        aria-hidden="true"
        onClick={(event) => {
          if (open === undefined) return;
          event.stopPropagation();
          onToggle();
        }}
      >
        {open === undefined ? "" : open ? "▾" : "▸"}
      </span>
      {sign === undefined ? null : (
        <span className={node.isFailed ? "bad" : "dim"}>
          <span aria-hidden="true">{sign}</span>
          {node.isFailed ? <span className="visually-hidden">failed</span> : null}
        </span>
      )}
      <span className="outline-label">{node.label}</span>
      <span className={node.kind === "call" ? "truncate dim mono" : "truncate dim"}>{node.about}</span>
      {node.changed.length > 0 ? (
        <span className="warn small push-right" title={node.changed.join("\n")}>
          {`${node.changed.length}±`}
          <span className="visually-hidden"> files changed</span>
        </span>
      ) : null}
    </div>
  );
}

/** The line an event belongs to: the call it is the result of, else of those that have begun the one that began last. */
function lastAt(rows: readonly OutlineNode[], index: number): number {
  let found = -1;
  let begun = -1;
  // A hundred thousand lines are gone through with every frame of a drag: without a pair made of each.
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined) continue;
    const { index: began, endIndex, kind, sessionId } = row;
    if (sessionId !== undefined || began > index || began < begun) continue;
    if (kind === "call" && endIndex === index) return at;
    found = at;
    begun = began;
  }
  return found;
}

function parentOf(rows: readonly OutlineNode[], at: number): OutlineNode | undefined {
  const level = rows[at]?.level ?? 1;
  return rows.slice(0, Math.max(0, at)).findLast((row) => row.level < level);
}
