import { useMemo } from "react";
import { limits } from "../../base";
import type { EditorDocument } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { byteText } from "../widgets/byteText";
import { saveFile } from "../widgets/saveFile";
import { useDocumentBytes } from "./useDocumentBytes";

const ROW_BYTES = 16;

export interface PlainViewProps {
  readonly document: EditorDocument;
  /** Why it cannot be edited. */
  readonly why: string;
}

/** The beginning of a file that is too large or no text: as text, or as bytes. */
export function PlainView({ document, why }: PlainViewProps) {
  const { mounts } = useWorkbench();
  const result = useDocumentBytes(document);
  const bytes = result && "bytes" in result ? result.bytes : undefined;
  const shown = useMemo(() => (bytes ? beginningOf(bytes) : undefined), [bytes]);
  const download = async () => {
    const file = await mounts.getState().download(document.id);
    if (file) saveFile(file.name, file.contents);
  };
  return (
    <div className="plain-view">
      <p className="document-bar small">
        <span>
          {why} {shown?.cut ?? ""}
        </span>
        <span className="document-bar-buttons">
          <Button size="small" onClick={() => void download()}>
            Download
          </Button>
        </span>
      </p>
      {result && "problem" in result ? <p className="document-note bad">{result.problem}</p> : null}
      <pre className="plain-bytes mono scroll">{shown?.text ?? "Opening…"}</pre>
    </div>
  );
}

function beginningOf(bytes: Uint8Array): { readonly text: string; readonly cut: string } {
  const start = bytes.subarray(0, limits.plainViewBytes);
  try {
    if (!start.includes(0)) {
      // A character cut at the end is no fault of the file's.
      const text = new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
      return { text, cut: start.length < bytes.length ? `The first ${byteText(start.length)} follow.` : "" };
    }
  } catch {
    // No text: shown as bytes below.
  }
  const head = bytes.subarray(0, limits.hexBytes);
  return { text: hexRows(head), cut: head.length < bytes.length ? `The first ${byteText(head.length)} follow.` : "" };
}

function hexRows(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += ROW_BYTES) {
    const row = [...bytes.subarray(at, at + ROW_BYTES)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    rows.push(`${at.toString(16).padStart(8, "0")}  ${hex.padEnd(ROW_BYTES * 3)} ${text}`);
  }
  return rows.join("\n");
}
