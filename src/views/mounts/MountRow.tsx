import { Ellipsis } from "lucide-react";
import { useStore } from "zustand";
import { shownName, type MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { byteText, countText } from "../widgets/byteText";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuItem, MenuSeparator } from "../widgets/Menu";
import { saveFile } from "../widgets/saveFile";
import { Swatch } from "../widgets/Swatch";
import { Tag } from "../widgets/Tag";

const KINDS = {
  memory: "memory",
  idb: "IndexedDB",
  folder: "folder",
  archive: "archive",
  address: "URL",
  package: "package",
  s3: "S3",
  webdav: "WebDAV",
  overlay: "overlay",
} as const;
const KIND_HINTS = {
  memory: "In memory: it begins anew each time the page loads.",
  idb: "In this browser's IndexedDB: it stays until you delete it.",
  folder: "A folder of this computer.",
  archive: "The files of an archive, kept in this browser's IndexedDB.",
  address: "The file or archive at an address, kept in this browser's IndexedDB.",
  package: "The files of a public package, kept in this browser's IndexedDB.",
  s3: "A bucket of an S3-compatible store.",
  webdav: "A folder of a WebDAV server.",
  overlay: "Two other mounts laid over one another, for reading only.",
} as const;

export interface MountRowProps {
  readonly mount: MountView;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly edit: () => void;
}

/** One line of the mount table. */
export function MountRow({ mount, isFirst, isLast, edit }: MountRowProps) {
  const { prefix, readOnly, color, fileCount, sizeBytes, hides, error } = mount;
  // Where the browser refuses storage every mount is in memory, whatever it was made for.
  const kept = useStore(useWorkbench().project, (state) => state.kept);
  const kind = kept ? mount.kind : "memory";
  return (
    <li className="mount">
      <div className="row mount-line">
        <Swatch color={color} />
        <button
          type="button"
          className="mount-prefix mono truncate"
          title={`${shownName(prefix)}: edit this mount`}
          onClick={edit}
        >
          {shownName(prefix)}
        </button>
        <Tag title={KIND_HINTS[kind]}>{KINDS[kind]}</Tag>
        {readOnly ? (
          <Tag title="Read-only: neither the agent nor you can write here.">
            <span className="mount-read-only">read-only</span>
            <span className="mount-ro" aria-hidden="true">
              ro
            </span>
          </Tag>
        ) : null}
        <span
          className="dim numeric push-right truncate"
          title={`${countText(fileCount, "file")}, ${byteText(sizeBytes)}`}
        >
          {fileCount.toLocaleString("en")}
          <span className="mount-word">{fileCount === 1 ? " file" : " files"}</span>
          <span className="mount-bytes"> · {byteText(sizeBytes)}</span>
        </span>
        <MountMenu mount={mount} isFirst={isFirst} isLast={isLast} edit={edit} />
      </div>
      {hides.map((hidden) => (
        <p key={hidden.prefix} className="mount-note small warn">
          {`hides ${countText(hidden.fileCount, "file")} of ${hidden.prefix}`}
        </p>
      ))}
      {error ? <p className="mount-note small bad">{`✕ ${error}`}</p> : null}
    </li>
  );
}

function MountMenu({ mount, isFirst, isLast, edit }: MountRowProps) {
  const { mounts: store } = useWorkbench();
  const { id, prefix, readOnly } = mount;
  const download = async () => {
    const file = await store.getState().download(prefix);
    if (file) saveFile(file.name, file.contents);
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          className="mount-more"
          label={`More for ${prefix}`}
          icon={<Ellipsis size={15} aria-hidden="true" />}
        />
      }
    >
      <MenuItem onSelect={edit}>Edit…</MenuItem>
      <MenuItem onSelect={() => void store.getState().editMount(id, { prefix, readOnly: !readOnly })}>
        {readOnly ? "Allow writing" : "Make read-only"}
      </MenuItem>
      <MenuItem disabled={isFirst} onSelect={() => void store.getState().reorderMount(id, -1)}>
        Move up
      </MenuItem>
      <MenuItem disabled={isLast} onSelect={() => void store.getState().reorderMount(id, 1)}>
        Move down
      </MenuItem>
      <MenuItem onSelect={() => void download()}>Download as zip</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void store.getState().removeMount(id)}>
        Remove
      </MenuItem>
    </Menu>
  );
}
