import { useEffect, useMemo, useState } from "react";
import type { EditorDocument } from "../../store";
import { byteText } from "../widgets/byteText";
import { useDocumentBytes } from "./useDocumentBytes";

export function ImageView({ document }: { readonly document: EditorDocument }) {
  const result = useDocumentBytes(document);
  const [size, setSize] = useState("");
  const bytes = result && "bytes" in result ? result.bytes : undefined;
  const address = useMemo(
    () => (bytes ? URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>])) : undefined),
    [bytes],
  );
  useEffect(() => () => (address ? URL.revokeObjectURL(address) : undefined), [address]);
  if (result && "problem" in result) return <p className="document-note bad">{result.problem}</p>;
  if (!address) return <p className="document-note dim">Opening…</p>;
  return (
    <figure className="image-view scroll">
      <img
        src={address}
        alt={document.id}
        onLoad={(event) => setSize(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight} px · `)}
      />
      <figcaption className="dim small numeric">{`${size}${byteText(document.sizeBytes)}`}</figcaption>
    </figure>
  );
}
