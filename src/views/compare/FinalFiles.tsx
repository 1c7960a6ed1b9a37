import { useState } from "react";
import { useStore } from "zustand";
import type { FileSides, FinalFile } from "../../store";
import { useLoaded } from "../session/useLoaded";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { DiffLines } from "../widgets/DiffLines";
import { Swatch } from "../widgets/Swatch";
import { useShownPair } from "./useShownPair";

const MARKS = { added: "A", modified: "M", deleted: "D" } as const;
const TONES = { added: "ok", modified: "warn", deleted: "bad" } as const;

/** Where the arms' final trees differ from each other and from the start, and what only one of them read. */
export function FinalFiles() {
  const { compare } = useWorkbench();
  const pair = useShownPair();
  const files = useStore(compare, (state) => state.files);
  const problem = useStore(compare, (state) => state.filesProblem);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
    <section className="compare-panel scroll" aria-label="Files" tabIndex={0}>
      <FilesHead files={files} />
      {problem === undefined ? null : <p className="files-note bad">{problem}</p>}
      {files === undefined && problem === undefined ? (
        <p className="files-note dim">
          {pair === undefined
            ? "What each arm leaves of the files is compared here."
            : "Known once both runs have ended."}
        </p>
      ) : null}
      {files?.map((file) => (
        <FileRow key={`${pair?.a.sessionId}${file.path}`} file={file} />
      ))}
      <ReadByOne />
    </section>
  );
}

function FilesHead({ files }: { readonly files: readonly FinalFile[] | undefined }) {
  const different = files?.filter((file) => !file.isSame).length;
  return (
    <div className="files-head">
      <h2>Final files</h2>
      {files === undefined || different === undefined ? null : (
        <span className="dim small">
          {files.length === 0
            ? "neither arm changed any"
            : `${countText(files.length, "file")} changed · ${different === 0 ? "the same in both" : `${different} ${different === 1 ? "differs" : "differ"}`}`}
        </span>
      )}
      {files === undefined || files.length === 0 ? null : (
        <span className="files-columns dim small" aria-hidden="true">
          <span>A</span>
          <span>B</span>
        </span>
      )}
    </div>
  );
}

function FileRow({ file }: { readonly file: FinalFile }) {
  const [open, setOpen] = useState(false);
  const { mounts } = useWorkbench();
  const color = useStore(mounts, (state) => state.mountOf(file.path)?.color);
  return (
    <>
      <button type="button" className="file-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="tree-arrow" aria-hidden="true">
          {open ? "▾" : "▸"}
        </span>
        {color === undefined ? null : <Swatch color={color} />}
        <span className="mono truncate file-path">{file.path}</span>
        <span className={`small ${file.isSame ? "dim" : "warn"}`}>{file.isSame ? "same" : "differs"}</span>
        <span className="files-columns">
          <Mark arm="A" kind={file.a} />
          <Mark arm="B" kind={file.b} />
        </span>
      </button>
      {open ? <FileDifferenceView file={file} /> : null}
    </>
  );
}

function Mark({ arm, kind }: { readonly arm: string; readonly kind: FinalFile["a"] }) {
  return (
    <span className={`file-mark ${kind === undefined ? "dim" : TONES[kind]}`}>
      <span aria-hidden="true">{kind === undefined ? "–" : MARKS[kind]}</span>
      <span className="visually-hidden">{`${arm}: ${kind ?? "unchanged"}`}</span>
    </span>
  );
}

/** A's version against B's; against the start where both are the same. */
function FileDifferenceView({ file }: { readonly file: FinalFile }) {
  const { compare } = useWorkbench();
  const sides: FileSides = file.isSame ? "start-a" : "a-b";
  const loaded = useLoaded(`${file.path}/${sides}`, () => compare.getState().fileDifference(file.path, sides));
  if (loaded.state === "loading") return <p className="files-note dim">Comparing…</p>;
  if (loaded.state === "failed") return <p className="files-note bad">{loaded.message}</p>;
  const { reason, lines, linesAdded, linesRemoved } = loaded.value;
  return (
    <div className="file-difference">
      <p className="files-note dim small">
        {file.isSame ? "Both arms against the start" : "− as A left it, + as B left it"}
        <span className="lines-added">{` +${linesAdded}`}</span>
        <span className="lines-removed">{` −${linesRemoved}`}</span>
      </p>
      {reason === undefined ? <DiffLines lines={lines} context={3} /> : <p className="files-note dim">{reason}</p>}
    </div>
  );
}

function ReadByOne() {
  const pair = useShownPair();
  const readA = pair?.a.metrics?.filesRead;
  const readB = pair?.b.metrics?.filesRead;
  if (readA === undefined || readB === undefined) return null;
  const only = [
    ["A", readA.filter((path) => !readB.includes(path))],
    ["B", readB.filter((path) => !readA.includes(path))],
  ] as const;
  const count = only[0][1].length + only[1][1].length;
  return (
    <>
      <div className="files-head files-head-second">
        <h2>Files read by one arm only</h2>
        <span className="dim small">
          {count === 0 ? "none: both read the same" : `A ${only[0][1].length}, B ${only[1][1].length}`}
        </span>
      </div>
      {only.map(([arm, paths]) =>
        paths.map((path) => (
          <p key={arm + path} className="read-row">
            <span className="tag">{arm}</span>
            <span className="mono truncate">{path}</span>
          </p>
        )),
      )}
    </>
  );
}
