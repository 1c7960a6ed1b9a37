import { Upload } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuItem } from "../widgets/Menu";
import { useTreeDownload } from "./useTreeDownload";
import { sourceFromFiles } from "./droppedItems";
import { useImport } from "./useImport";

/** Files in and out by button; dropping does the same. */
export function UploadMenu() {
  const importInto = useImport();
  const downloadAll = useTreeDownload();
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
        trigger={<IconButton label="Upload and download" icon={<Upload size={15} aria-hidden="true" />} />}
      >
        <MenuItem onSelect={() => files.current?.click()}>Upload files or a zip…</MenuItem>
        <MenuItem onSelect={() => folder.current?.click()}>Upload a folder…</MenuItem>
        <MenuItem onSelect={() => void downloadAll("/")}>Download all as zip</MenuItem>
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
