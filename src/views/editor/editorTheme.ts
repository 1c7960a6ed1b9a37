import { monaco } from "./monaco";

/** Token colours, by the theme's names: few, so that colour keeps a meaning. */
const RULES: readonly (readonly [token: string, color: string, style?: string])[] = [
  ["comment", "text-3"],
  ["keyword", "info"],
  ["string", "ok"],
  ["number", "mount-4"],
  ["regexp", "warn"],
  ["type", "mount-7"],
  ["tag", "info"],
  ["attribute.name", "mount-7"],
  ["variable", "text"],
  ["strong", "text", "bold"],
  ["emphasis", "text", "italic"],
];

const COLORS: Record<string, string> = {
  "editor.background": "surface",
  "editor.foreground": "text",
  "editorLineNumber.foreground": "text-3",
  "editorLineNumber.activeForeground": "text",
  "editorCursor.foreground": "accent",
  "editor.lineHighlightBackground": "well",
  "editor.lineHighlightBorder": "well",
  "editorWidget.background": "raised",
  "editorWidget.foreground": "text",
  "editorWidget.border": "line-strong",
  "editorSuggestWidget.selectedBackground": "selected",
  "editorSuggestWidget.selectedForeground": "text",
  "editorSuggestWidget.highlightForeground": "accent",
  "editorSuggestWidget.focusHighlightForeground": "accent",
  "editorHoverWidget.background": "raised",
  "editorError.foreground": "bad",
  "editorWarning.foreground": "warn",
  "input.background": "surface",
  "input.foreground": "text",
  "input.border": "line-strong",
  focusBorder: "focus",
  "editorIndentGuide.background1": "line",
  "editorGutter.background": "surface",
  "diffEditor.insertedLineBackground": "added",
  "diffEditor.removedLineBackground": "removed",
  "diffEditor.unchangedRegionBackground": "well",
  "diffEditor.unchangedRegionForeground": "text-2",
  "menu.background": "raised",
  "menu.foreground": "text",
  "menu.selectionBackground": "hover",
  "menu.selectionForeground": "text",
};

/** Gives the editor the page's colours as they are now. */
function applyTheme(): void {
  const style = getComputedStyle(document.documentElement);
  const isDark = document.documentElement.dataset["theme"] === "dark";
  const color = (name: string) => sixDigits(style.getPropertyValue(`--${name}`).trim());
  const accent = color("accent");
  monaco.editor.defineTheme("rootscope", {
    base: isDark ? "vs-dark" : "vs",
    inherit: true,
    rules: RULES.map(([token, name, fontStyle]) => ({
      token,
      foreground: color(name).slice(1),
      ...(fontStyle ? { fontStyle } : {}),
    })),
    colors: {
      ...Object.fromEntries(Object.entries(COLORS).map(([key, name]) => [key, color(name)])),
      "editor.selectionBackground": `${accent}40`,
      "editor.findMatchBackground": `${accent}66`,
      "editor.findMatchHighlightBackground": `${accent}33`,
      // The line has the colour; which words changed is a stroke under them (editor.css).
      "diffEditor.insertedTextBackground": "#00000000",
      "diffEditor.removedTextBackground": "#00000000",
    },
  });
  monaco.editor.setTheme("rootscope");
}

/** `#fff` as `#ffffff`: the editor takes no short colours, and the build shortens them. */
function sixDigits(color: string): string {
  return /^#[0-9a-f]{3}$/i.test(color) ? color.replaceAll(/[0-9a-f]/gi, "$&$&") : color;
}

/** Keeps the editor in the page's colours. Answers how to stop. */
export function followTheme(): () => void {
  applyTheme();
  const observer = new MutationObserver(applyTheme);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

export const editorOptions = {
  automaticLayout: true,
  fontSize: 12,
  lineHeight: 18,
  fontFamily: '"JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  lineNumbersMinChars: 4,
  lineDecorationsWidth: 8,
  folding: true,
  glyphMargin: false,
  renderLineHighlight: "line",
  overviewRulerBorder: false,
  padding: { top: 8, bottom: 8 },
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, alwaysConsumeMouseWheel: false },
  stickyScroll: { enabled: false },
  tabSize: 2,
  wordBasedSuggestions: "off",
  renderFinalNewline: "on",
  matchBrackets: "never",
  // A key replaces what is selected. Surrounding it also left the tokens of a line behind its text (monaco-editor 0.57).
  autoSurround: "never",
  // What is set here reaches models that were made before the first editor, which their own options do not outlast.
  bracketPairColorization: { enabled: false, independentColorPoolPerBracketType: false },
  guides: { bracketPairs: false, bracketPairsHorizontal: false, highlightActiveBracketPair: false },
  fixedOverflowWidgets: true,
} as const;
