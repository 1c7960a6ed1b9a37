import { useWorkbench } from "../workbenchContext";
import { ContextMenuItem, ContextMenuSeparator } from "../widgets/ContextMenu";
import type { TreeRow } from "../../store";
import type { TreeEditing } from "./treeEditing";

export interface TreeRowItemsProps {
  readonly row: TreeRow | undefined;
  readonly editing: TreeEditing;
}

/** What can be done with one row. */
export function TreeRowItems({ row, editing }: TreeRowItemsProps) {
  const { editor, mounts } = useWorkbench();
  if (!row) {
    return (
      <>
        <ContextMenuItem onSelect={() => editing.beginNew("file")}>New file…</ContextMenuItem>
        <ContextMenuItem onSelect={() => editing.beginNew("folder")}>New folder…</ContextMenuItem>
        <ContextMenuItem onSelect={() => void editing.download("/")}>Download all as zip</ContextMenuItem>
      </>
    );
  }
  const isFile = row.kind === "file";
  if (row.hiddenBy !== undefined) {
    return <ContextMenuItem onSelect={() => void navigator.clipboard.writeText(row.path)}>Copy path</ContextMenuItem>;
  }
  return (
    <>
      {isFile && !row.isGone ? (
        <ContextMenuItem keys="Enter" onSelect={() => void editor.getState().open(row.path)}>
          Open
        </ContextMenuItem>
      ) : null}
      {isFile && row.mark ? (
        <ContextMenuItem onSelect={() => void editor.getState().open(row.path, "changes")}>
          Open the changes
        </ContextMenuItem>
      ) : null}
      {row.mark ? (
        <ContextMenuItem onSelect={() => void editing.revert(row.path)}>
          {isFile ? "Revert to before the run" : "Revert all below to before the run"}
        </ContextMenuItem>
      ) : null}
      {isFile || row.isGone ? null : (
        <>
          <ContextMenuItem keys="*" onSelect={() => mounts.getState().setAllExpanded(row.path, true)}>
            Open all below
          </ContextMenuItem>
          {row.expanded ? (
            <ContextMenuItem onSelect={() => mounts.getState().setAllExpanded(row.path, false)}>
              Close all below
            </ContextMenuItem>
          ) : null}
          <ContextMenuSeparator />
          <ContextMenuItem onSelect={() => editing.beginNew("file", row.path)}>New file…</ContextMenuItem>
          <ContextMenuItem onSelect={() => editing.beginNew("folder", row.path)}>New folder…</ContextMenuItem>
        </>
      )}
      {row.isGone ? null : (
        <>
          <ContextMenuSeparator />
          <ContextMenuItem onSelect={() => void navigator.clipboard.writeText(row.path)}>Copy path</ContextMenuItem>
          <ContextMenuItem onSelect={() => void editing.download(row.path)}>
            {isFile ? "Download" : "Download as zip"}
          </ContextMenuItem>
        </>
      )}
      {row.isGone || row.isMount ? null : (
        <>
          <ContextMenuSeparator />
          <ContextMenuItem keys="F2" onSelect={() => editing.beginRename(row.path)}>
            Rename…
          </ContextMenuItem>
          <ContextMenuItem onSelect={() => editing.beginRename(row.path, true)}>Move…</ContextMenuItem>
          <ContextMenuItem danger keys="Delete" onSelect={() => void editing.remove(row.path)}>
            Delete
          </ContextMenuItem>
        </>
      )}
    </>
  );
}
