import type { MountView } from "../../store";
import { byteText, countText } from "../widgets/byteText";

/** How much is in a mount, at the end of its line. */
export function MountCount({ mount }: { readonly mount: MountView }) {
  const words = mountCount(mount);
  if (words === undefined) return <span className="push-right" />;
  const { fileCount, sizeBytes } = mount;
  return (
    <span className="dim numeric push-right truncate" title={words}>
      {fileCount.toLocaleString("en")}
      <span className="mount-word">{fileCount === 1 ? " file" : " files"}</span>
      <span className="mount-bytes"> · {byteText(sizeBytes)}</span>
    </span>
  );
}

/** What is in a mount, as the table says it: nothing is counted before it is known. */
function mountCount({ state, fileCount, sizeBytes }: MountView): string | undefined {
  if (state !== "ready" && fileCount === 0) return undefined;
  return `${countText(fileCount, "file")}, ${byteText(sizeBytes)}`;
}
