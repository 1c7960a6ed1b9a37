import { Plus } from "lucide-react";
import { useRef } from "react";
import { useStore } from "zustand";
import { shownName } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../widgets/Menu";
import { sourceFromFiles } from "./droppedItems";
import type { TreeEditing } from "./treeEditing";
import { uploadTarget } from "./uploadTarget";
import { useImport } from "./useImport";

/** New entries, and files in and out by button; dropping does the same. */
export function FilesMenu({ editing }: { readonly editing: TreeEditing }) {
  const importInto = useImport();
  const target = useStore(useWorkbench().mounts, uploadTarget);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    const source = sourceFromFiles([...(input.files ?? [])]);
    input.value = "";
    void importInto(source);
  };
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label="New, upload, download" icon={<Plus size={16} aria-hidden="true" />} />}
      >
        <MenuLabel>
          {target === undefined ? (
            "No mount takes writes"
          ) : (
            <>
              Into <span className="mono upload-target">{shownName(target)}</span>
            </>
          )}
        </MenuLabel>
        <MenuItem onSelect={() => editing.beginNew("file")}>New file…</MenuItem>
        <MenuItem onSelect={() => editing.beginNew("folder")}>New folder…</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => files.current?.click()}>Upload files or a zip…</MenuItem>
        <MenuItem onSelect={() => folder.current?.click()}>Upload a folder…</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void editing.download("/")}>Download all as zip</MenuItem>
      </Menu>
      <input
        ref={files}
        type="file"
        multiple
        className="visually-hidden"
        aria-label="Files to upload"
        tabIndex={-1}
        onChange={(event) => take(event.target)}
      />
      <input
        ref={folder}
        type="file"
        className="visually-hidden"
        aria-label="Folder to upload"
        tabIndex={-1}
        onChange={(event) => take(event.target)}
        {...{ webkitdirectory: "" }}
      />
    </>
  );
}
