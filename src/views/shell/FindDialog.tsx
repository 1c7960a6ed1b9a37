import { useEffect, useId, useRef, useState, type AriaAttributes, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { limits } from "../../base";
import { createFindStore, type FindState, type FindStore, type FoundLine } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { Dialog } from "../widgets/Dialog";
import { Swatch } from "../widgets/Swatch";
import { TextField } from "../widgets/TextField";
import { VirtualList, type VirtualListHandle } from "../widgets/VirtualList";
import "./find.css";

const ROW_HEIGHT = 26;
/** Milliseconds without a key after which what stands in the fields is searched. */
const TYPING_MS = 200;

/** Finds lines in all files; the search ends when the window is closed. */
export function FindDialog({ onClose }: { readonly onClose: () => void }) {
  const { mounts } = useWorkbench();
  const [store] = useState(() => createFindStore(() => mounts.getState().liveTree()));
  const lines = useStore(store, (state) => state.lines);
  const [chosen, setChosen] = useState(0);
  const list = useRef<VirtualListHandle>(null);
  const listId = useId();
  const open = useOpenLine(onClose);
  useEffect(() => () => store.getState().stop(), [store]);

  const at = Math.min(chosen, lines.length - 1);
  const onKeyDown = useListKeys({
    at,
    go(index) {
      const next = Math.max(0, Math.min(lines.length - 1, index));
      setChosen(next);
      list.current?.showRow(next);
    },
    open: () => open(lines[at]),
  });
  return (
    <Dialog open onClose={onClose} title="Find in files" width={760}>
      <FindFields
        store={store}
        onKeyDown={onKeyDown}
        onChange={() => setChosen(0)}
        combobox={{
          role: "combobox",
          "aria-autocomplete": "none",
          "aria-expanded": lines.length > 0,
          ...(lines.length > 0 ? { "aria-controls": listId, "aria-activedescendant": `${listId}-${at}` } : {}),
        }}
      />
      <FindSummary store={store} />
      {lines.length > 0 ? (
        <VirtualList
          ref={list}
          id={listId}
          className="find-list"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of a long list only the rows in view exist
          role="listbox"
          aria-label="Lines found"
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          rowKey={(index) => `${lines[index]?.path}:${lines[index]?.lineNumber}`}
        >
          {(index) => (
            <FoundRow
              id={`${listId}-${index}`}
              found={lines[index]}
              isChosen={index === at}
              open={() => open(lines[index])}
            />
          )}
        </VirtualList>
      ) : null}
    </Dialog>
  );
}

interface ListKeys {
  readonly at: number;
  readonly go: (index: number) => void;
  readonly open: () => void;
}

/** The keys of a list whose focus stays in the field above it. */
function useListKeys({ at, go, open }: ListKeys): (event: KeyboardEvent) => void {
  return (event) => {
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + 10),
      PageUp: () => go(at - 10),
      Enter: open,
    };
    const action = actions[event.key];
    if (!action || event.nativeEvent.isComposing || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    action();
  };
}

/** Shows a line in the editor, in the mode that has one. */
function useOpenLine(onClose: () => void): (found: FoundLine | undefined) => void {
  const { editor, mounts, project } = useWorkbench();
  return (found) => {
    if (!found) return;
    onClose();
    if (project.getState().mode !== "run") project.getState().setMode("run");
    mounts.getState().reveal(found.path);
    void editor.getState().open(found.path, "edit", found.lineNumber);
  };
}

interface FindFieldsProps {
  readonly store: FindStore;
  readonly onChange: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly combobox: AriaAttributes & { readonly role: "combobox" };
}

function FindFields({ store, onChange, onKeyDown, combobox }: FindFieldsProps) {
  const [pattern, setPattern] = useState("");
  const [glob, setGlob] = useState("");
  const [matchCase, setMatchCase] = useState(false);
  const problem = useStore(store, (state) => state.problem);
  useEffect(() => {
    const timer = setTimeout(() => void store.getState().find({ pattern, glob, matchCase }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [store, pattern, glob, matchCase]);
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      onChange();
    };
  return (
    <div className="find-fields" onKeyDown={onKeyDown} role="presentation">
      <TextField
        label="Pattern (a regular expression)"
        mono
        value={pattern}
        onChange={changed(setPattern)}
        error={problem}
        {...combobox}
      />
      <TextField label="Files" mono placeholder="*.ts" value={glob} onChange={changed(setGlob)} />
      <label className="checkbox">
        <input type="checkbox" checked={matchCase} onChange={(event) => changed(setMatchCase)(event.target.checked)} />
        Match case
      </label>
    </div>
  );
}

function FindSummary({ store }: { readonly store: FindStore }) {
  const words = useStore(store, summaryOf);
  return <output className="find-summary small dim">{words}</output>;
}

function summaryOf({ status, lines, fileCount, problem }: FindState): string {
  const found = `${countText(lines.length, "line")} in ${countText(fileCount, "file")}`;
  if (status === "idle") return "Every mount is searched.";
  if (status === "searching") return `Searching… ${found}`;
  if (status === "cut")
    return `The first ${limits.foundLines.toLocaleString("en")} lines, in ${countText(fileCount, "file")}: there are more.`;
  if (lines.length > 0) return found;
  return problem === undefined ? "No line matches." : "";
}

interface FoundRowProps {
  readonly id: string;
  readonly found: FoundLine | undefined;
  readonly isChosen: boolean;
  readonly open: () => void;
}

function FoundRow({ id, found, isChosen, open }: FoundRowProps) {
  const { mounts } = useWorkbench();
  if (!found) return null;
  const { path, lineNumber, line } = found;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it belongs to that list
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={`find-row${isChosen ? " find-row-chosen" : ""}`}
      title={`${path}:${lineNumber}`}
      onClick={open}
    >
      <Swatch color={mounts.getState().mountOf(path)?.color ?? 8} />
      <span className="find-place mono truncate">{`${path}:${lineNumber}`}</span>
      <span className="find-line mono truncate">{line.trim()}</span>
    </div>
  );
}
