import { lazy, Suspense, useState } from "react";
import { limits } from "../../base";
import { AGENT_ID, isFileDocument, type EditorDocument } from "../../store";
import { AgentDocumentView } from "../agent/AgentDocumentView";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { byteText } from "../widgets/byteText";
import { EmptyState } from "../widgets/EmptyState";
import { PlainText } from "./PlainText";

const TextEditor = lazy(() => import("./TextEditor").then((module) => ({ default: module.TextEditor })));
const ImageView = lazy(() => import("./ImageView").then((module) => ({ default: module.ImageView })));
const PlainView = lazy(() => import("./PlainView").then((module) => ({ default: module.PlainView })));
const DiffView = lazy(() => import("./DiffView").then((module) => ({ default: module.DiffView })));

/** A document in the way it can be shown, with what stands between it and being saved above it. */
export function DocumentView({ document }: { readonly document: EditorDocument }) {
  const [comparing, setComparing] = useState(false);
  const { conflict } = document;
  const showsBoth = comparing && conflict?.theirs !== undefined;
  return (
    <>
      {conflict ? <ConflictBar document={document} comparing={comparing} setComparing={setComparing} /> : null}
      {document.problem && document.dirty && !conflict ? <ProblemBar document={document} /> : null}
      {document.readOnly && !conflict ? (
        <p className="document-bar small muted">Read-only: its mount does not take writes.</p>
      ) : null}
      <div className="document">
        <Suspense fallback={<PlainText text={document.text} />}>
          {showsBoth ? (
            <DiffView id={document.id} before={conflict?.mine ?? ""} after={conflict?.theirs ?? ""} />
          ) : (
            <DocumentBody document={document} />
          )}
        </Suspense>
      </div>
    </>
  );
}

function DocumentBody({ document }: { readonly document: EditorDocument }) {
  const { id, presentation, view, sizeBytes, hidden } = document;
  if (hidden && presentation === "gone")
    return <EmptyState text={`${id} of the mount ${hidden.of} is hidden by ${hidden.by}. It is unchanged there.`} />;
  if (view === "changes" && isFileDocument(id) && ["text", "gone"].includes(presentation))
    return <ChangesView document={document} />;
  if (id === AGENT_ID && presentation === "text") return <AgentDocumentView />;
  switch (presentation) {
    case "loading":
      return <p className="document-note dim">Opening…</p>;
    case "text":
      return <TextEditor document={document} />;
    case "image":
      return <ImageView key={document.revision} document={document} />;
    case "binary":
      return <PlainView key={document.revision} document={document} why={`Binary, ${byteText(sizeBytes)}.`} />;
    case "large":
      return (
        <PlainView
          key={document.hash}
          document={document}
          why={`${byteText(sizeBytes)}: files over ${byteText(limits.editorBytes)} are shown, not edited.`}
        />
      );
    case "unreadable":
      return <Unreadable document={document} />;
    default:
      return <EmptyState text={`${id} is no longer there.`} />;
  }
}

function Unreadable({ document }: { readonly document: EditorDocument }) {
  const { editor } = useWorkbench();
  return (
    <EmptyState
      text={`This file cannot be read: ${document.problem}`}
      action={<Button onClick={() => void editor.getState().reload(document.id)}>Try again</Button>}
    />
  );
}

function ChangesView({ document }: { readonly document: EditorDocument }) {
  return (
    <DiffView
      id={document.id}
      beforeRunOf={document.id}
      after={document.presentation === "gone" ? "" : document.text}
    />
  );
}

interface ConflictBarProps {
  readonly document: EditorDocument;
  readonly comparing: boolean;
  readonly setComparing: (comparing: boolean) => void;
}

/** Nothing is saved, and nothing lost, until the person chooses. */
function ConflictBar({ document, comparing, setComparing }: ConflictBarProps) {
  const { editor } = useWorkbench();
  const { hidden } = document;
  const theirs = document.conflict?.theirs;
  return (
    <div className="document-bar document-conflict" role="alert">
      <span>
        {theirs === undefined && hidden
          ? `This file is hidden by ${hidden.by} now. Keep mine writes your text there.`
          : theirs === undefined
            ? "This file was deleted or replaced while you were editing it."
            : "This file was changed while you were editing it. Your text is not saved yet."}
      </span>
      <span className="document-bar-buttons">
        {theirs === undefined ? null : (
          <Button size="small" aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
            {comparing ? "Back to mine" : "Show the difference"}
          </Button>
        )}
        <Button size="small" onClick={() => void editor.getState().takeTheirs(document.id)}>
          Take theirs
        </Button>
        <Button size="small" variant="primary" onClick={() => void editor.getState().keepMine(document.id)}>
          Keep mine
        </Button>
      </span>
    </div>
  );
}

function ProblemBar({ document }: { readonly document: EditorDocument }) {
  const { editor } = useWorkbench();
  return (
    <div className="document-bar document-problem" role="alert">
      <span
        className={document.id === AGENT_ID ? "bad document-problem-short" : "bad"}
        title={document.id === AGENT_ID ? document.problem : undefined}
      >{`Not saved. ${document.problem}`}</span>
      <span className="document-bar-buttons">
        <Button size="small" onClick={() => void editor.getState().save(document.id)}>
          Save again
        </Button>
      </span>
    </div>
  );
}
