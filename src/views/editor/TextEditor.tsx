import { useEffect, useRef } from "react";
import type { EditorDocument, EditorStore } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { editorOptions, followTheme } from "./editorTheme";
import { editorModel, languageOf, monaco } from "./monaco";

interface OpenModel {
  readonly model: monaco.editor.ITextModel;
  /** The document's revision the model last took. */
  revision: number;
  /** Set while a text is put in that was not typed. */
  filling: boolean;
  viewState: monaco.editor.ICodeEditorViewState | null;
  /** The place a person asked for that was last shown. */
  goTo: EditorDocument["goTo"];
}

/** One editor over all open texts, each with its own history and place. */
class TextEditorHost {
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #store: EditorStore;
  readonly #models = new Map<string, OpenModel>();
  readonly #stops: (() => void)[];
  #shownId: string | undefined;

  constructor(element: HTMLElement, store: EditorStore) {
    this.#store = store;
    this.#editor = monaco.editor.create(element, { ...editorOptions, model: null });
    this.#stops = [followTheme(), store.subscribe(() => this.#dropClosed())];
  }

  show(document: EditorDocument): void {
    const open = this.#models.get(document.id) ?? this.#create(document);
    if (this.#shownId !== document.id) {
      this.#keepPlace();
      this.#shownId = document.id;
      this.#editor.setModel(open.model);
      this.#editor.restoreViewState(open.viewState);
    }
    this.#fill(open, document);
    this.#editor.updateOptions({
      readOnly: document.readOnly,
      ariaLabel: document.id,
      wordWrap: languageOf(document.id) === "markdown" ? "on" : "off",
    });
    this.#goTo(open, document);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    for (const [id, open] of this.#models) this.#release(id, open);
    this.#models.clear();
    this.#editor.dispose();
  }

  #create(document: EditorDocument): OpenModel {
    const model = editorModel(document.text, document.id);
    const open: OpenModel = { model, revision: document.revision, filling: false, viewState: null, goTo: undefined };
    model.onDidChangeContent(() => {
      if (!open.filling) this.#store.getState().edited(document.id, () => model.getValue(undefined, true));
    });
    this.#models.set(document.id, open);
    return open;
  }

  /** A text that came from elsewhere is put in as an edit, so that undo leads back over it. */
  #fill(open: OpenModel, document: EditorDocument): void {
    if (open.revision === document.revision) return;
    open.revision = document.revision;
    if (open.model.getValue(undefined, true) === document.text) return;
    open.filling = true;
    try {
      open.model.pushEditOperations([], [{ range: open.model.getFullModelRange(), text: document.text }], () => null);
      open.model.setEOL(
        /\r\n/.test(document.text) ? monaco.editor.EndOfLineSequence.CRLF : monaco.editor.EndOfLineSequence.LF,
      );
    } finally {
      open.filling = false;
    }
  }

  #goTo(open: OpenModel, { goTo }: EditorDocument): void {
    if (open.goTo === goTo) return;
    open.goTo = goTo;
    if (!goTo) return;
    if (goTo.line !== "kept") {
      const lineNumber = Math.min(goTo.line, open.model.getLineCount());
      this.#editor.setPosition({ lineNumber, column: open.model.getLineFirstNonWhitespaceColumn(lineNumber) || 1 });
      this.#editor.revealLineInCenter(lineNumber);
    }
    this.#editor.focus();
  }

  #keepPlace(): void {
    const open = this.#shownId === undefined ? undefined : this.#models.get(this.#shownId);
    if (open) open.viewState = this.#editor.saveViewState();
  }

  #dropClosed(): void {
    const ids = new Set(this.#store.getState().documents.map((document) => document.id));
    for (const [id, open] of this.#models) {
      if (ids.has(id)) continue;
      this.#models.delete(id);
      open.model.dispose();
    }
  }

  /** What was typed and is not saved yet outlives the model. */
  #release(id: string, open: OpenModel): void {
    const document = this.#store.getState().documents.find((other) => other.id === id);
    if (document?.dirty) {
      const text = open.model.getValue(undefined, true);
      this.#store.getState().edited(id, () => text);
      void this.#store.getState().save(id);
    }
    open.model.dispose();
  }
}

export function TextEditor({ document }: { readonly document: EditorDocument }) {
  const { editor } = useWorkbench();
  const element = useRef<HTMLDivElement>(null);
  const host = useRef<TextEditorHost>(undefined);
  useEffect(() => {
    if (!element.current) return undefined;
    const made = new TextEditorHost(element.current, editor);
    host.current = made;
    return () => {
      made.dispose();
      host.current = undefined;
    };
  }, [editor]);
  useEffect(() => host.current?.show(document), [document]);
  return <div ref={element} className="monaco-box" />;
}
