import { lazy, Suspense } from "react";

const Markdown = lazy(async () => ({ default: (await import("./Markdown")).Markdown }));

/** A finished text of the model. Plain until the reader for its marks has arrived. */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<div className="chat-text">{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}
