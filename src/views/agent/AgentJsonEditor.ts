import { AGENT_ID, agentJsonMarkers, type AgentJsonReport, type AgentJsonTextStore } from "../../store";
import { editorOptions, followTheme } from "../editor/editorTheme";
import { editorModel, monaco } from "../editor/monaco";
import { provideAgentJson } from "./agentJsonLanguage";

/** The editor over the agent's text. Its history is that of the text, which the form shares. */
export class AgentJsonEditor {
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #model: monaco.editor.ITextModel;
  readonly #stops: (() => void)[];
  #filling = false;

  constructor(element: HTMLElement, store: AgentJsonTextStore) {
    const { text, edit, undo, redo } = store.getState();
    this.#editor = monaco.editor.create(element, {
      ...editorOptions,
      model: null,
      ariaLabel: AGENT_ID,
      quickSuggestions: { strings: true, other: true, comments: false },
      suggest: { showIcons: false, showStatusBar: false },
    });
    this.#model = editorModel(text, AGENT_ID);
    this.#editor.setModel(this.#model);
    this.#editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyZ, undo);
    this.#editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.KeyZ, redo);
    this.#editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyY, redo);
    this.#model.onDidChangeContent(() => {
      if (!this.#filling) edit(this.#model.getValue(undefined, true), "text");
    });
    this.#stops = [followTheme(), store.subscribe((state) => this.#take(state.text)), provideAgentJson(this.#model)];
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#editor.dispose();
    this.#model.dispose();
  }

  /** Marks what is wrong with the text, where it is. */
  showFaults(text: string, report: AgentJsonReport): void {
    if (text !== this.#model.getValue(undefined, true)) return;
    const markers = agentJsonMarkers(text, report).map(({ start, end, words }) => {
      const [from, to] = [this.#model.getPositionAt(start), this.#model.getPositionAt(end)];
      return {
        startLineNumber: from.lineNumber,
        startColumn: from.column,
        endLineNumber: to.lineNumber,
        endColumn: to.column,
        message: words,
        severity: monaco.MarkerSeverity.Error,
      };
    });
    monaco.editor.setModelMarkers(this.#model, "agent", markers);
  }

  /** Only what differs is put in, so that the cursor and the folds stay where they are. */
  #take(text: string): void {
    const shown = this.#model.getValue(undefined, true);
    if (shown === text) return;
    const { start, end, with: inserted } = differentPart(shown, text);
    const range = monaco.Range.fromPositions(this.#model.getPositionAt(start), this.#model.getPositionAt(end));
    this.#filling = true;
    try {
      this.#model.applyEdits([{ range, text: inserted }]);
    } finally {
      this.#filling = false;
    }
    this.#editor.setPosition(this.#model.getPositionAt(start + inserted.length));
  }
}

/** What of `before` is to be replaced, and with what, to make it `after`. */
function differentPart(before: string, after: string): { start: number; end: number; with: string } {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shortest - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: before.length - tail, with: after.slice(start, after.length - tail) };
}
