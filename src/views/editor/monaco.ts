import * as monaco from "monaco-editor/editor/editor.api";
// oxlint-disable-next-line import/default -- the bundler gives a worker its default export
import EditorWorker from "monaco-editor/editor/editor.worker?worker";
// The features' own entry for suggestions (monaco-editor 0.57) leaves out what shows them. Whatever brings a service of its
// own must be here: once an editor has been made, none is taken any more.
import "monaco-editor/editor/contrib/suggest/browser/suggestController";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeEditor/register";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/comment/register";
import "monaco-editor/features/contextmenu/register";
import "monaco-editor/features/cursorUndo/register";
import "monaco-editor/features/diffEditor/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/folding/register";
import "monaco-editor/features/hover/register";
import "monaco-editor/features/indentation/register";
import "monaco-editor/features/lineSelection/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/multicursor/register";
import "monaco-editor/features/readOnlyMessage/register";
// Without it the Tab key leads into the editor and never out again.
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/features/unicodeHighlighter/register";
import "monaco-editor/features/wordHighlighter/register";
import "monaco-editor/features/wordOperations/register";
import "monaco-editor/languages/definitions/css/register";
import "monaco-editor/languages/definitions/html/register";
import "monaco-editor/languages/definitions/javascript/register";
import "monaco-editor/languages/definitions/markdown/register";
import "monaco-editor/languages/definitions/python/register";
import "monaco-editor/languages/definitions/shell/register";
import "monaco-editor/languages/definitions/typescript/register";
import "monaco-editor/languages/definitions/yaml/register";

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

export { monaco };

const LANGUAGES: Record<string, string> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  // What JSON is made of, JavaScript has.
  json: "javascript",
  webmanifest: "javascript",
  map: "javascript",
  md: "markdown",
  markdown: "markdown",
  css: "css",
  html: "html",
  htm: "html",
  svg: "html",
  xml: "html",
  py: "python",
  yaml: "yaml",
  yml: "yaml",
  sh: "shell",
  bash: "shell",
};

/**
 * A text for the editor. Brackets keep their plain colour: colour means something else here, and the incremental parser
 * behind coloured pairs (monaco-editor 0.57) can loop for ever while someone types.
 */
export function editorModel(text: string, id: string): monaco.editor.ITextModel {
  const model = monaco.editor.createModel(text, languageOf(id));
  model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
  return model;
}

/** The language a document is coloured in, by the ending of its name. */
export function languageOf(id: string): string {
  return LANGUAGES[id.slice(id.lastIndexOf(".") + 1).toLowerCase()] ?? "plaintext";
}
