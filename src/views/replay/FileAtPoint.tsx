import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { ReplayFile } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { byteText } from "../widgets/byteText";
import { DiffLines } from "../widgets/DiffLines";
import { EmptyState } from "../widgets/EmptyState";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { VirtualList } from "../widgets/VirtualList";

const LINE_HEIGHT = 18;
/** Equal lines shown around a change. */
const CONTEXT_LINES = 4;

const VIEWS = [
  { value: "changes", label: "Changes" },
  { value: "contents", label: "Contents" },
] as const;

/** A file as it was at this point, and what differs from the start. */
export function FileAtPoint() {
  const { replay } = useWorkbench();
  const path = useStore(replay, (state) => state.selected);
  const isDirectory = useStore(replay, (state) => state.tree.entry(state.selected ?? "/")?.kind === "directory");
  const file = useFileAtPoint(path);
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("changes");
  if (path === undefined || isDirectory)
    return <EmptyState text="Choose a file to see what was in it at this point of the session." />;
  if (file === undefined) return <p className="replay-note dim">Opening…</p>;
  if (file.problem !== undefined) return <p className="replay-note muted">{file.problem}</p>;
  const { difference } = file;
  const showsChanges = difference !== undefined && (view === "changes" || file.text === undefined);
  return (
    <>
      <div className="file-tools small">
        {difference === undefined ? (
          <span className="dim">as at the start</span>
        ) : (
          <>
            <SegmentedControl label="View of the file" segments={VIEWS} value={view} onChange={setView} size="small" />
            <span className="numeric">
              <span className="lines-added">{`+${difference.linesAdded}`}</span>{" "}
              <span className="lines-removed">{`−${difference.linesRemoved}`}</span>
            </span>
          </>
        )}
        <span className="dim numeric push-right">{byteText(file.sizeBytes)}</span>
      </div>
      {showsChanges ? <Changes file={file} /> : <Contents file={file} />}
    </>
  );
}

/** Read again when the file is another one at this point; until then what was shown stays. */
function useFileAtPoint(path: string | undefined): ReplayFile | undefined {
  const { replay } = useWorkbench();
  const hash = useStore(replay, (state) => state.tree.file(state.selected ?? "")?.hash ?? "");
  const sessionId = useStore(replay, (state) => state.sessionId);
  const [file, setFile] = useState<ReplayFile>();
  useEffect(() => {
    let isCurrent = true;
    const read = async (chosen: string) => {
      const next = await replay.getState().fileAt(chosen);
      if (isCurrent) setFile(next);
    };
    if (path !== undefined) void read(path);
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what is read depends on the point of the session, of which the hash says what matters here
  }, [replay, path, hash, sessionId]);
  return file?.path === path ? file : undefined;
}

function Changes({ file }: { readonly file: ReplayFile }) {
  const { difference } = file;
  if (difference === undefined) return null;
  if (difference.reason !== undefined) return <p className="replay-note muted">{difference.reason}</p>;
  return (
    <div className="file-changes">
      <DiffLines lines={difference.lines} numbered context={CONTEXT_LINES} />
    </div>
  );
}

function Contents({ file }: { readonly file: ReplayFile }) {
  const lines = useMemo(() => file.text?.split("\n"), [file.text]);
  if (file.image !== undefined) {
    return (
      <figure className="replay-image scroll">
        <img src={file.image} alt={file.path} />
      </figure>
    );
  }
  if (lines === undefined)
    return <p className="replay-note muted">{`Binary contents, ${byteText(file.sizeBytes)}: no lines to show.`}</p>;
  const digits = String(lines.length).length;
  return (
    <VirtualList
      className="file-lines mono"
      role="document"
      aria-label={`Contents of ${file.path}`}
      tabIndex={0}
      count={lines.length}
      rowHeight={LINE_HEIGHT}
      rowKey={String}
    >
      {(index) => (
        <div className="file-line">
          <span className="file-line-number" style={{ width: `${digits + 3}ch` }} aria-hidden="true">
            {index + 1}
          </span>
          {lines[index]}
        </div>
      )}
    </VirtualList>
  );
}
