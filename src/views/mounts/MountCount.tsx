import type { MountView } from "../../store";
import { byteText } from "../widgets/byteText";
import { mountCount } from "./MountStateNote";

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
