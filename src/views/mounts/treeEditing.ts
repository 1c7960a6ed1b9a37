import { useState } from "react";
import { useWorkbench } from "../workbenchContext";
import { saveFile } from "../widgets/saveFile";
import { uploadTarget } from "./uploadTarget";

/** What is being named in the tree. */
export type TreeEdit =
  | { readonly kind: "rename"; readonly path: string; readonly wholePath: boolean }
  | { readonly kind: "file" | "folder"; readonly parent: string };

export interface TreeEditing {
  readonly edit: TreeEdit | undefined;
  /** Names a new entry in `parent`, or where uploads go too. */
  beginNew(kind: "file" | "folder", parent?: string): void;
  beginRename(path: string, wholePath?: boolean): void;
  cancel(): void;
  /** Carries out what was named; answers why not, or nothing when it is done. */
  commit(name: string): Promise<string | undefined>;
  remove(path: string): Promise<void>;
  revert(path: string): Promise<void>;
  revertAll(): Promise<void>;
  download(path: string): Promise<void>;
  move(from: string, directory: string): Promise<void>;
}

/** What can be done to the entries of the tree, with one place being named at a time. */
export function useTreeEditing(): TreeEditing {
  const { mounts, editor, notices } = useWorkbench();
  const [edit, setEdit] = useState<TreeEdit | undefined>(undefined);
  const report = (problem: string | undefined) => {
    if (problem) notices.getState().push({ tone: "bad", text: problem });
  };

  return {
    edit,
    beginNew(kind, parent) {
      const state = mounts.getState();
      const directory = parent ?? uploadTarget(state);
      if (directory === undefined) return report("There is no mount to write to. Add one first.");
      if (!state.mountOf(directory))
        return report(`There is no mount at ${directory}. Choose a folder inside a mount.`);
      if (state.mountOf(directory)?.readOnly)
        return report(`${state.mountOf(directory)?.prefix} is read-only. Choose a folder of another mount.`);
      state.setExpanded(directory, true);
      setEdit({ kind, parent: directory });
    },
    beginRename: (path, wholePath = false) => setEdit({ kind: "rename", path, wholePath }),
    cancel: () => setEdit(undefined),
    async commit(name) {
      const state = mounts.getState();
      if (!edit) return undefined;
      if (name.trim() === "") return "It needs a name.";
      const to = edit.kind === "rename" ? targetOf(edit.path, name) : joined(edit.parent, name);
      const problem =
        edit.kind === "rename"
          ? await state.move(edit.path, to)
          : edit.kind === "file"
            ? await state.createFile(edit.parent, name)
            : await state.createFolder(edit.parent, name);
      if (problem) return problem;
      setEdit(undefined);
      state.reveal(to);
      if (edit.kind === "file") void editor.getState().open(to);
      return undefined;
    },
    remove: async (path) => report(await mounts.getState().remove([path])),
    revert: async (path) =>
      report(await mounts.getState().revert(changedBelow(mounts.getState().changes.list(), path))),
    revertAll: async () => report(await mounts.getState().revert()),
    async download(path) {
      const file = await mounts.getState().download(path);
      if (file) saveFile(file.name, file.contents);
    },
    async move(from, directory) {
      const to = joined(directory, from.slice(from.lastIndexOf("/") + 1));
      const problem = await mounts.getState().move(from, to);
      report(problem);
      if (!problem) mounts.getState().reveal(to);
    },
  };
}

function changedBelow(changes: readonly { readonly path: string }[], path: string): string[] {
  return changes.map((change) => change.path).filter((changed) => changed === path || changed.startsWith(`${path}/`));
}

/** A name stays in its directory; what begins with `/` is a whole path. */
function targetOf(path: string, name: string): string {
  return name.startsWith("/") ? name : joined(parentOf(path), name);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function joined(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
