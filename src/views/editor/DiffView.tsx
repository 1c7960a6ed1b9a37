import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { editorOptions, followTheme } from "./editorTheme";
import { editorModel, monaco } from "./monaco";

export interface DiffViewProps {
  /** Names the language. */
  readonly id: string;
  readonly after: string;
  /** The earlier text; or, with `beforeRunOf`, that file's text before the run. */
  readonly before?: string;
  readonly beforeRunOf?: string;
}

/** Two texts as one, their differences marked. */
export function DiffView({ id, before, beforeRunOf, after }: DiffViewProps) {
  const earlier = useTextBeforeRun(beforeRunOf);
  const original = before ?? earlier?.text ?? "";
  const element = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<monaco.editor.IStandaloneDiffEditor | undefined>(undefined);
  useEffect(() => {
    if (!element.current) return undefined;
    const made = monaco.editor.createDiffEditor(element.current, {
      ...editorOptions,
      renderSideBySide: false,
      readOnly: true,
      originalEditable: false,
      renderMarginRevertIcon: false,
      renderOverviewRuler: false,
      diffAlgorithm: "advanced",
    });
    const stop = followTheme();
    setEditor(made);
    return () => {
      stop();
      setEditor(undefined);
      const model = made.getModel();
      made.dispose();
      disposeModel(model);
    };
  }, []);
  useEffect(() => {
    if (!editor) return;
    const last = editor.getModel();
    editor.setModel({
      original: editorModel(original, id),
      modified: editorModel(after, id),
    });
    disposeModel(last);
    // The labels given at the beginning are lost with the first change of any option.
    editor.getOriginalEditor().updateOptions({ ariaLabel: `${id}, before` });
    editor.getModifiedEditor().updateOptions({ ariaLabel: `${id}, after` });
  }, [editor, id, original, after]);
  const note = noteOf(beforeRunOf, earlier, after);
  return (
    <>
      {note ? <p className="document-bar small muted">{note}</p> : null}
      <div ref={element} className="monaco-box" />
    </>
  );
}

function disposeModel(model: monaco.editor.IDiffEditorModel | null): void {
  model?.original.dispose();
  model?.modified.dispose();
}

function noteOf(
  beforeRunOf: string | undefined,
  earlier: TextBeforeRun | undefined,
  after: string,
): string | undefined {
  if (beforeRunOf === undefined || !earlier) return undefined;
  if (!earlier.hasRun) return "No run has begun yet: there is nothing to compare with.";
  if (earlier.text === undefined) return "Added since the run began.";
  return earlier.text === after ? "Not changed since the run began." : undefined;
}

interface TextBeforeRun {
  readonly hasRun: boolean;
  readonly text: string | undefined;
}

function useTextBeforeRun(id: string | undefined): TextBeforeRun | undefined {
  const { editor, mounts } = useWorkbench();
  const baseline = useStore(mounts, (state) => state.baseline);
  const [earlier, setEarlier] = useState<TextBeforeRun | undefined>(undefined);
  useEffect(() => {
    if (id === undefined) return undefined;
    let current = true;
    const load = async () => {
      const text = await editor.getState().textBeforeRun(id);
      if (current) setEarlier({ hasRun: baseline !== undefined, text });
    };
    void load();
    return () => {
      current = false;
    };
  }, [editor, id, baseline]);
  return earlier;
}
