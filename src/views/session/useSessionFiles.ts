import type { ClipboardEvent } from "react";
import { limits } from "../../base";
import type { SessionSource } from "../../store";
import { useFilesDrop } from "../widgets/useFilesDrop";
import { sourcesFromDrop } from "./sessionSource";
import { useImportSessions } from "./useImportSessions";
import { useShowInReplay } from "./useShowInReplay";

/** Where a person writes: what is pasted there is a message or an attachment unless it can be nothing but a session. */
const EDITABLE = 'textarea, input, [contenteditable="true"]';

/** Sessions dropped on an element or pasted into it; they are imported and the first of each file is shown in Replay. */
export function useSessionFiles() {
  const take = useImportSessions(useShowInReplay());
  const { dropping, handlers } = useFilesDrop((event) => {
    event.stopPropagation();
    void sourcesFromDrop(event.dataTransfer).then((sources) => Promise.all(sources.map(take)));
  });
  return {
    dropping,
    handlers: {
      ...handlers,
      onPaste(event: ClipboardEvent) {
        const isWriting = event.target instanceof Element && event.target.closest(EDITABLE) !== null;
        const sources = pastedSources(event.clipboardData, isWriting);
        if (sources.length === 0) return;
        event.preventDefault();
        for (const source of sources) void take(source);
      },
    },
  };
}

function pastedSources(data: DataTransfer, isWriting: boolean): readonly SessionSource[] {
  const files = [...data.files].filter((file) => !isWriting || /\.(ndjson|jsonl|zip)$/i.test(file.name));
  if (files.length > 0) return files.map((file) => ({ name: file.name, files: [{ path: file.name, blob: file }] }));
  const text = data.getData("text/plain");
  const isSession = isWriting ? looksLikeLog(text) : /^\s*[[{]/.test(text);
  if (!isSession || text.length >= limits.importSessionBytes) return [];
  return [{ name: "pasted text", files: [{ path: "pasted.jsonl", blob: new Blob([text]) }] }];
}

/** A log begins with an event; anything else that is pasted is a message. */
function looksLikeLog(text: string): boolean {
  return /^\s*\{"type":\s*"[a-z]+\.[a-z.]+"/.test(text) && text.trim().includes("\n");
}
