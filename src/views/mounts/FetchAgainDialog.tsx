import { shownName } from "../../store";
import { countText } from "../widgets/byteText";
import { DownloadFirstDialog } from "./DownloadFirstDialog";

/** Files named before the rest is counted. */
const NAMED = 3;

export interface FetchAgainDialogProps {
  readonly prefix: string;
  /** Files written since it was fetched; none where files were deleted or moved only. */
  readonly written: readonly string[];
  readonly onClose: () => void;
  readonly download: () => void;
  readonly fetchAgain: () => void;
}

/** Asks before what was changed here gives way to what is fetched, and offers to keep a file of it. */
export function FetchAgainDialog({ prefix, written, onClose, download, fetchAgain }: FetchAgainDialogProps) {
  return (
    <DownloadFirstDialog
      title={`Fetch ${shownName(prefix)} again`}
      description={`It was changed here since it was fetched: ${changeWords(written)}. What is fetched takes the place of all of it.`}
      action="Fetch again"
      onClose={onClose}
      download={download}
      act={fetchAgain}
    />
  );
}

function changeWords(written: readonly string[]): string {
  if (written.length === 0) return "files were deleted or moved";
  const names = written.slice(0, NAMED).map(shownName).join(", ");
  const more = written.length - NAMED;
  return `${countText(written.length, "file")} written (${names}${more > 0 ? ` and ${more} more` : ""})`;
}
