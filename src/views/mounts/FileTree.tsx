import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useStore } from "zustand";
import { rowByTyping, type TreeRow, type TreeRows } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { ContextMenu } from "../widgets/ContextMenu";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";
import { NameRow } from "./NameRow";
import type { TreeEdit, TreeEditing } from "./treeEditing";
import { TreeRowItems } from "./TreeRowItems";
import { TreeRowView } from "./TreeRowView";
import { useTreeRows } from "./useTreeRows";

const ROW_HEIGHT = 26;
/** Milliseconds between two letters that still make one word. */
const TYPING_MS = 700;

type Line =
  | { readonly kind: "row"; readonly row: TreeRow }
  | { readonly kind: "name"; readonly level: number; readonly edit: TreeEdit };

export interface FileTreeProps {
  readonly editing: TreeEditing;
  /** The directory that would take what is being dragged from outside. */
  readonly dropTarget?: string | undefined;
}

/** The merged tree: a flat list of the rows in view, with the roles and keys of a tree. */
export function FileTree({ editing, dropTarget }: FileTreeProps) {
  const { mounts: store, editor } = useWorkbench();
  const snapshot = useStore(store, (state) => state.scratch?.snapshot ?? state.snapshot);
  const mounts = useStore(store, (state) => state.scratch?.mounts ?? state.mounts);
  const changes = useStore(store, (state) => state.changes);
  const trees = useStore(store, (state) => state.trees);
  const expanded = useStore(store, (state) => state.expanded);
  const selected = useStore(store, (state) => state.selected);
  const rows = useTreeRows({ snapshot, mounts, trees, changes, expanded });
  const lines = useMemo(() => linesOf(rows, editing.edit), [rows, editing.edit]);
  const list = useRef<VirtualListHandle>(null);
  const onKeyDown = useTreeKeys(rows, list, editing);
  const selectedRow = selected === undefined ? undefined : rows.get(rows.indexOf(selected));

  useRevealed(rows, selected, list);

  const selectFromPointer = (event: MouseEvent) => {
    const path = (event.target as Element).closest<HTMLElement>("[data-path]")?.dataset["path"];
    if (path !== undefined) store.getState().select(path);
  };
  const activate = (row: TreeRow) => {
    store.getState().select(row.path);
    if (row.kind === "directory") store.getState().setExpanded(row.path, !row.expanded);
    else if (!row.isGone) void editor.getState().open(row.path);
    else void editor.getState().open(row.path, "changes");
  };

  return (
    <ContextMenu items={<TreeRowItems row={selectedRow} editing={editing} />}>
      <div className="file-tree-box">
        <VirtualList
          ref={list}
          className="file-tree"
          role="tree"
          aria-label="Files"
          tabIndex={0}
          aria-activedescendant={selectedRow ? rowId(selectedRow.path) : undefined}
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          rowKey={(index) => lineKey(lines.get(index))}
          onKeyDown={onKeyDown}
          onContextMenu={selectFromPointer}
        >
          {(index) => {
            const line = lines.get(index);
            if (line?.kind === "name") return <NameRow level={line.level} edit={line.edit} editing={editing} />;
            return line ? (
              <TreeRowView
                row={line.row}
                id={rowId(line.row.path)}
                mount={mounts.find((mount) => mount.id === line.row.mountId)}
                layer={mounts.find((mount) => mount.id === line.row.layerId)}
                isSelected={line.row.path === selected}
                isDropTarget={line.row.kind === "directory" && line.row.path === dropTarget}
                onActivate={() => activate(line.row)}
                onDropPath={(from) => void editing.move(from, line.row.path)}
              />
            ) : null;
          }}
        </VirtualList>
      </div>
    </ContextMenu>
  );
}

/** What becomes selected, from wherever, is scrolled into view: at once, or when its row is drawn. */
function useRevealed(
  rows: TreeRows,
  selected: string | undefined,
  list: { readonly current: VirtualListHandle | null },
): void {
  const shown = useRef(selected);
  useEffect(() => {
    if (shown.current === selected) return;
    const index = selected === undefined ? -1 : rows.indexOf(selected);
    if (index < 0) return;
    shown.current = selected;
    list.current?.showRow(index);
  }, [rows, selected, list]);
}

/** Whether it can be renamed, moved and deleted here. */
function isEditable(row: TreeRow): boolean {
  return !row.isGone && !row.isMount && row.hiddenBy === undefined;
}

function rowId(path: string): string {
  return `tree-row-${path}`;
}

function lineKey(line: Line | undefined): string {
  return line === undefined ? "" : line.kind === "row" ? line.row.path : "\0name";
}

interface Lines {
  readonly length: number;
  get(index: number): Line | undefined;
}

/** The rows, with the field in which something is being named where it belongs. */
function linesOf(rows: TreeRows, edit: TreeEdit | undefined): Lines {
  const rowAt = (index: number): Line | undefined => {
    const row = rows.get(index);
    return row && { kind: "row", row };
  };
  const at = edit === undefined ? -1 : rows.indexOf(edit.kind === "rename" ? edit.path : edit.parent);
  const parent = rows.get(at);
  const isInRoot = edit !== undefined && edit.kind !== "rename" && edit.parent === "/";
  if (edit === undefined || (parent === undefined && !isInRoot)) return { length: rows.length, get: rowAt };
  if (edit.kind === "rename") {
    const line: Line = { kind: "name", level: parent?.level ?? 1, edit };
    return { length: rows.length, get: (index) => (index === at ? line : rowAt(index)) };
  }
  const line: Line = { kind: "name", level: (parent?.level ?? 0) + 1, edit };
  return {
    length: rows.length + 1,
    get: (index) => (index === at + 1 ? line : rowAt(index > at + 1 ? index - 1 : index)),
  };
}

function useTreeKeys(rows: TreeRows, list: { readonly current: VirtualListHandle | null }, editing: TreeEditing) {
  const { mounts: store, editor } = useWorkbench();
  const [typed, setTyped] = useState({ text: "", at: 0 });

  const go = (index: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows.get(at);
    if (!row) return;
    store.getState().select(row.path);
    list.current?.showRow(at);
  };
  const typeAhead = (event: KeyboardEvent, index: number) => {
    const text = event.timeStamp - typed.at < TYPING_MS ? typed.text + event.key : event.key;
    setTyped({ text, at: event.timeStamp });
    const found = rowByTyping(rows, Math.max(0, index), text);
    if (found >= 0) go(found);
  };

  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const { selected } = store.getState();
    const index = selected === undefined ? -1 : rows.indexOf(selected);
    const row = rows.get(index);
    const actions: Record<string, (() => void) | undefined> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index <= 0 ? 0 : index - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      PageDown: () => go(index + 20),
      PageUp: () => go(index - 20),
      ArrowRight: row && (() => stepIn(row, index)),
      ArrowLeft: row && (() => stepOut(row)),
      Enter: row && (() => openRow(row)),
      "*": row?.kind === "directory" ? () => store.getState().setAllExpanded(row.path, true) : undefined,
      F2: row && isEditable(row) ? () => editing.beginRename(row.path) : undefined,
      Delete: row && isEditable(row) ? () => void removeRow(row, index) : undefined,
    };
    const action =
      actions[event.key] ??
      (/^[^\s]$/u.test(event.key) && event.key !== "?" ? () => typeAhead(event, index) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  };

  function stepIn(row: TreeRow, index: number) {
    if (row.kind !== "directory") return;
    if (row.expanded) go(index + 1);
    else store.getState().setExpanded(row.path, true);
  }
  function stepOut(row: TreeRow) {
    if (row.kind === "directory" && row.expanded) return store.getState().setExpanded(row.path, false);
    const above = rows.indexAbove(row.path);
    if (above >= 0) go(above);
  }
  function openRow(row: TreeRow) {
    if (row.kind === "directory") store.getState().setExpanded(row.path, !row.expanded);
    else void editor.getState().open(row.path, row.isGone ? "changes" : undefined);
  }
  async function removeRow(row: TreeRow, index: number) {
    const next = rows.get(index + 1);
    // What is below a folder goes with it.
    const below = next?.path.startsWith(`${row.path}/`) ? rows.get(rows.indexBelow(row.path)) : next;
    await editing.remove(row.path);
    // What was there when the run began stays as a row that is struck through.
    const stays = store.getState().baseline?.entry(row.path) !== undefined;
    const chosen = stays ? row : (below ?? rows.get(index - 1));
    if (chosen) go(rows.indexOf(chosen.path));
  }
}
