import { useEffect, useState } from "react";
import { messageFromError, type EditorDocument } from "../../store";
import { useWorkbench } from "../workbenchContext";

export type DocumentBytes = { readonly bytes: Uint8Array } | { readonly problem: string } | undefined;

/** A file's bytes; `undefined` while they are read. */
export function useDocumentBytes({ id, hash }: EditorDocument): DocumentBytes {
  const { editor } = useWorkbench();
  const [result, setResult] = useState<DocumentBytes>(undefined);
  useEffect(() => {
    let current = true;
    const keep = (next: DocumentBytes) => (current ? setResult(next) : undefined);
    editor
      .getState()
      .bytes(id)
      .then((bytes) => keep(bytes ? { bytes } : { problem: "It is no longer there." }))
      .catch((error: unknown) => keep({ problem: messageFromError(error) }));
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another hash is another file
  }, [editor, id, hash]);
  return result;
}
