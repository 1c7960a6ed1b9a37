import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { rowByTyping, type TreeRow, type TreeRows } from "../../store";
import { TreeRowView } from "../mounts/TreeRowView";
import { useTreeRows } from "../mounts/useTreeRows";
import { useWorkbench } from "../workbenchContext";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";

const ROW_HEIGHT = 26;

/** The tree at this point: marks say what differs from the start, a frame what the event at hand changed. */
export function ReplayTree() {
  const { replay } = useWorkbench();
  const snapshot = useStore(replay, (state) => state.tree);
  const looks = useStore(replay, (state) => state.mounts);
  const changes = useStore(replay, (state) => state.changes);
  const expanded = useStore(replay, (state) => state.expanded);
  const selected = useStore(replay, (state) => state.selected);
  const touched = useStore(replay, (state) => state.touched);
  const mounts = useMemo(() => looks.map((mount) => ({ ...mount, id: mount.prefix })), [looks]);
  const rows = useTreeRows({ snapshot, mounts, changes, expanded });
  const list = useRef<VirtualListHandle>(null);
  const selectedIndex = selected === undefined ? -1 : rows.indexOf(selected);
  useEffect(() => {
    if (selectedIndex >= 0) list.current?.showRow(selectedIndex);
  }, [selectedIndex]);
  const activate = (row: TreeRow) => {
    replay.getState().select(row.path);
    if (row.kind === "directory") replay.getState().setExpanded(row.path, !row.expanded);
  };
  const onKeyDown = useTreeKeys(rows, selectedIndex, activate);
  return (
    <VirtualList
      ref={list}
      className="file-tree"
      role="tree"
      aria-label="Files at this point"
      tabIndex={0}
      aria-activedescendant={selectedIndex >= 0 ? rowId(selected ?? "") : undefined}
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      rowKey={(index) => rows.get(index)?.path ?? String(index)}
      onKeyDown={onKeyDown}
    >
      {(index) => {
        const row = rows.get(index);
        return row === undefined ? null : (
          <TreeRowView
            row={row}
            id={rowId(row.path)}
            mount={mounts.find((mount) => mount.id === row.mountId)}
            isSelected={row.path === selected}
            isTouched={touched.has(row.path)}
            since="the start"
            onActivate={() => activate(row)}
          />
        );
      }}
    </VirtualList>
  );
}

function rowId(path: string): string {
  return `replay-row-${path}`;
}

function useTreeKeys(rows: TreeRows, index: number, activate: (row: TreeRow) => void) {
  const { replay } = useWorkbench();
  const { select, setExpanded } = replay.getState();
  const go = (next: number) => {
    const row = rows.get(Math.max(0, Math.min(rows.length - 1, next)));
    if (row) select(row.path);
  };
  const stepIn = (row: TreeRow) => {
    if (row.kind === "directory" && !row.expanded) setExpanded(row.path, true);
    else if (row.kind === "directory") go(index + 1);
  };
  const stepOut = (row: TreeRow) => {
    if (row.kind === "directory" && row.expanded) setExpanded(row.path, false);
    else go(rows.indexAbove(row.path));
  };
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows.get(index);
    const actions: Record<string, (() => void) | undefined> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: row && (() => stepIn(row)),
      ArrowLeft: row && (() => stepOut(row)),
      Enter: row && (() => activate(row)),
    };
    const found = /^[\p{L}\p{N}._]$/u.test(event.key) ? rowByTyping(rows, Math.max(0, index), event.key) : -1;
    const action = actions[event.key] ?? (found >= 0 ? () => go(found) : undefined);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
}
