import { limits } from "../../base";

/** The text as it will stand in the editor, before that has arrived. */
export function PlainText({ text }: { readonly text: string }) {
  const lines = text.split("\n", limits.plainTextLines);
  return (
    <pre className="plain-text mono" aria-label="Contents">
      {lines.map((line, index) => (
        // A line is its number.
        <div key={index}>
          <span className="plain-number" aria-hidden="true">
            {index + 1}
          </span>
          {line}
        </div>
      ))}
    </pre>
  );
}
