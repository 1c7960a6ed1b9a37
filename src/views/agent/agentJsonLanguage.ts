import { agentJsonSchema, jsonCompletions, jsonHover } from "../../store";
import { monaco } from "../editor/monaco";

/** Completion and words of fields for one text; others of its language are left alone. Answers how to stop. */
export function provideAgentJson(model: monaco.editor.ITextModel): () => void {
  const schema = agentJsonSchema();
  const language = model.getLanguageId();
  const rangeOf = (start: number, end: number) =>
    monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  const completion = monaco.languages.registerCompletionItemProvider(language, {
    triggerCharacters: ['"'],
    provideCompletionItems(asked, position) {
      if (asked !== model) return null;
      const text = model.getValue();
      return {
        suggestions: jsonCompletions(text, model.getOffsetAt(position), schema).map((found) => ({
          label: found.label,
          kind: monaco.languages.CompletionItemKind.Field,
          insertText: found.text,
          // What stands in its place begins with a quote, or is nothing yet.
          filterText: text[found.start] === '"' ? JSON.stringify(found.label) : found.label,
          range: rangeOf(found.start, found.end),
          ...(found.words === undefined ? {} : { documentation: found.words }),
        })),
      };
    },
  });
  const hover = monaco.languages.registerHoverProvider(language, {
    provideHover(asked, position) {
      if (asked !== model) return null;
      const found = jsonHover(model.getValue(), model.getOffsetAt(position), schema);
      return found ? { contents: [{ value: found.words }], range: rangeOf(found.start, found.end) } : null;
    },
  });
  return () => {
    completion.dispose();
    hover.dispose();
  };
}
