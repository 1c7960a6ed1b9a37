import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { TreeEdit, TreeEditing } from "./treeEditing";

export interface NameRowProps {
  readonly level: number;
  readonly edit: TreeEdit;
  readonly editing: TreeEditing;
}

/** The row in which something is being named. */
export function NameRow({ level, edit, editing }: NameRowProps) {
  const first =
    edit.kind === "rename" ? (edit.wholePath ? edit.path : edit.path.slice(edit.path.lastIndexOf("/") + 1)) : "";
  const [name, setName] = useState(first);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    // The ending of a file's name mostly stays.
    const dot = first.lastIndexOf(".");
    input.current?.setSelectionRange(0, dot > 0 && !first.startsWith("/") ? dot : first.length);
  }, [first]);

  const leave = () => {
    const tree = input.current?.closest<HTMLElement>('[role="tree"]');
    editing.cancel();
    tree?.focus();
  };
  const commit = async () => {
    const tree = input.current?.closest<HTMLElement>('[role="tree"]');
    if (name === first) return leave();
    const refused = await editing.commit(name);
    setProblem(refused);
    if (!refused) tree?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.nativeEvent.isComposing) void commit();
    else if (event.key === "Escape") {
      event.preventDefault();
      leave();
    }
  };
  const label = edit.kind === "rename" ? `New name for ${edit.path}` : `Name of the new ${edit.kind}`;
  return (
    // A tree holds its items and nothing else.
    <div
      className="name-row"
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      tabIndex={-1}
      style={{ paddingLeft: 10 + (level - 1) * 16 }}
    >
      <span className="tree-arrow" aria-hidden="true">
        {edit.kind === "folder" ? "▸" : ""}
      </span>
      <input
        ref={input}
        className="input mono name-input"
        aria-label={label}
        aria-invalid={problem !== undefined}
        value={name}
        spellCheck={false}
        placeholder={edit.kind === "rename" ? "" : `${edit.kind} name`}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (problem === undefined && name.trim() === "") editing.cancel();
          else if (problem === undefined) void commit();
        }}
      />
      {problem ? (
        <p className="name-problem small bad" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
