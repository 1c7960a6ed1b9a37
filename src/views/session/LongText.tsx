import { useState } from "react";
import { limits } from "../../base";

/** A text of which only the first lines are laid out until the person asks for the rest. */
export function LongText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const { shown, hiddenLines } = whole ? { shown: text, hiddenLines: 0 } : cutText(text);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key */}
      <pre className="call-text wrap" tabIndex={0} aria-label="Text">
        {shown}
      </pre>
      {hiddenLines > 0 ? (
        <button type="button" className="small-button" onClick={() => setWhole(true)}>
          {`Show ${hiddenLines.toLocaleString("en")} more ${hiddenLines === 1 ? "line" : "lines"}`}
        </button>
      ) : null}
    </>
  );
}

function cutText(text: string): { readonly shown: string; readonly hiddenLines: number } {
  const lines = text.split("\n");
  const shown = lines
    .slice(0, limits.outputPreviewLines)
    .map((line) =>
      line.length > limits.outputLineCharacters ? `${line.slice(0, limits.outputLineCharacters)}…` : line,
    );
  return { shown: shown.join("\n"), hiddenLines: Math.max(0, lines.length - limits.outputPreviewLines) };
}
