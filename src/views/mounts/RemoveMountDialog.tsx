import { shownName, type MountView } from "../../store";
import { byteText, countText } from "../widgets/byteText";
import { DownloadFirstDialog } from "./DownloadFirstDialog";

export interface RemoveMountDialogProps {
  readonly mount: Pick<MountView, "prefix" | "fileCount" | "sizeBytes">;
  readonly onClose: () => void;
  readonly download: () => void;
  readonly remove: () => void;
}

/** Asks before files that are kept nowhere else go with their mount, and offers them as a file. */
export function RemoveMountDialog({
  mount: { prefix, fileCount, sizeBytes },
  onClose,
  download,
  remove,
}: RemoveMountDialogProps) {
  return (
    <DownloadFirstDialog
      title={`Remove ${shownName(prefix)}`}
      description={`${countText(fileCount, "file")} of ${byteText(sizeBytes)} ${fileCount === 1 ? "goes" : "go"} with it. Undo brings the mount back for some seconds; after them its files are gone.`}
      action="Remove"
      onClose={onClose}
      download={download}
      act={remove}
    />
  );
}
