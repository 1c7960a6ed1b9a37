import { SquareTerminal } from "lucide-react";
import { lazy, Suspense } from "react";
import { useStore } from "zustand";
import { AGENT_ID, INSTRUCTIONS_ID, isFileDocument, type EditorView } from "../../store";
import { AgentViewSwitch } from "../agent/AgentDocumentView";
import { useShell } from "../shell/shellContext";
import { useWorkbench } from "../workbenchContext";
import { EmptyState } from "../widgets/EmptyState";
import { IconButton } from "../widgets/IconButton";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { DocumentView } from "./DocumentView";
import { EditorTabs } from "./EditorTabs";
import "./editor.css";

const TerminalPanel = lazy(() =>
  import("../terminal/TerminalPanel").then((module) => ({ default: module.TerminalPanel })),
);

const VIEWS: readonly { readonly value: EditorView; readonly label: string }[] = [
  { value: "edit", label: "Edit" },
  { value: "changes", label: "Changes" },
];

/** The project's own documents always have a tab. */
const PINNED_IDS = [INSTRUCTIONS_ID, AGENT_ID];

/** The centre column: open documents as tabs, one shown. */
export function EditorColumn() {
  const { editor } = useWorkbench();
  const { terminal, setTerminal } = useShell();
  const documents = useStore(editor, (state) => state.documents);
  const activeId = useStore(editor, (state) => state.activeId);
  const active = documents.find((document) => document.id === activeId);
  const files = documents.filter((document) => isFileDocument(document.id)).map((document) => document.id);
  return (
    <div className="editor-column">
      <div className="editor-bar">
        <EditorTabs ids={[...files, ...PINNED_IDS]} activeId={activeId} />
        {active && isFileDocument(active.id) ? (
          <SegmentedControl
            label="View of the document"
            size="small"
            segments={VIEWS}
            value={active.view}
            onChange={(view) => editor.getState().setView(active.id, view)}
          />
        ) : null}
        {active?.id === AGENT_ID ? <AgentViewSwitch /> : null}
        <IconButton
          label={terminal ? "Close the terminal" : "Open the terminal"}
          keys="alt+T"
          icon={<SquareTerminal size={15} aria-hidden="true" />}
          aria-pressed={terminal}
          onClick={() => setTerminal(!terminal)}
        />
      </div>
      {active ? (
        <DocumentView document={active} />
      ) : (
        <EmptyState text="Choose a file at the left, or a call at the right, to see it here." />
      )}
      {terminal ? (
        <Suspense fallback={null}>
          <TerminalPanel />
        </Suspense>
      ) : null}
    </div>
  );
}
