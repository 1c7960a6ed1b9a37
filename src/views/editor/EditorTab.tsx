import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { isFileDocument, shownName } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { IconButton } from "../widgets/IconButton";

export interface EditorTabProps {
  readonly id: string;
  readonly isActive: boolean;
  /** All open files, to tell two of the same name apart. */
  readonly names: readonly string[];
}

export function EditorTab({ id, isActive, names }: EditorTabProps) {
  const { editor, mounts } = useWorkbench();
  const document = useStore(editor, (state) => state.documents.find((other) => other.id === id));
  const tab = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) tab.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isActive]);
  const open = () => {
    if (isFileDocument(id)) mounts.getState().reveal(id);
    void editor.getState().open(id);
  };
  const state = document?.conflict
    ? "changed by both"
    : document?.problem
      ? "not saved"
      : document?.dirty
        ? "being saved"
        : document?.presentation === "gone" && document.hidden
          ? `hidden by ${document.hidden.by}`
          : undefined;
  const isGone = document?.presentation === "gone";
  const goneClass = isGone ? (document.hidden ? "dim" : "tree-gone") : "";
  const tone = document?.conflict || document?.problem ? "warn" : "dim";
  return (
    <li ref={tab} className={isActive ? "editor-tab editor-tab-active" : "editor-tab"}>
      <button
        type="button"
        className="editor-tab-name"
        aria-current={isActive ? "page" : undefined}
        title={shownName(state ? `${id}: ${state}` : id)}
        onClick={open}
        onAuxClick={(event) => {
          if (event.button === 1) void editor.getState().close(id);
        }}
      >
        <bdi className={goneClass}>{shownName(tabName(id, names))}</bdi>
        {state ? (
          <>
            <span className={tone} aria-hidden="true">
              ●
            </span>
            <span className="visually-hidden">{state}</span>
          </>
        ) : null}
      </button>
      {isFileDocument(id) ? (
        <IconButton
          label={`Close ${id}`}
          className="editor-tab-close"
          icon={<X size={13} aria-hidden="true" />}
          onClick={() => void editor.getState().close(id)}
        />
      ) : null}
    </li>
  );
}

/** The file's name, with its directory when another open file has the same. */
function tabName(id: string, names: readonly string[]): string {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const isAlone = names.every((other) => other === id || !other.endsWith(`/${name}`));
  return isAlone ? name : id.split("/").slice(-2).join("/");
}
