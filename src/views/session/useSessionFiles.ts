import type { ClipboardEvent } from "react";
import { limits } from "../../base";
import { useFilesDrop } from "../widgets/useFilesDrop";
import { useSessionState } from "./useSessionState";
import { useShowInReplay } from "./useShowInReplay";

/** Sessions dropped on an element or pasted into it; they are imported and shown in Replay. */
export function useSessionFiles() {
  const importSession = useSessionState((state) => state.importSession);
  const showInReplay = useShowInReplay();
  const take = async (file: { readonly name: string; readonly contents: Blob }) => {
    const sessionId = await importSession(file);
    if (sessionId !== undefined) showInReplay(sessionId);
  };
  const { dropping, handlers } = useFilesDrop((event) => {
    event.stopPropagation();
    for (const file of event.dataTransfer.files) void take({ name: file.name, contents: file });
  });
  return {
    dropping,
    handlers: {
      ...handlers,
      onPaste(event: ClipboardEvent) {
        const files = [...event.clipboardData.files].filter((file) => /\.(ndjson|jsonl|zip)$/i.test(file.name));
        const text = event.clipboardData.getData("text/plain");
        const pasted =
          files.length > 0
            ? files.map((file) => ({ name: file.name, contents: file as Blob }))
            : looksLikeLog(text)
              ? [{ name: "pasted.ndjson", contents: new Blob([text]) }]
              : [];
        if (pasted.length === 0) return;
        event.preventDefault();
        for (const file of pasted) void take(file);
      },
    },
  };
}

/** A log begins with an event; anything else that is pasted is a message. */
function looksLikeLog(text: string): boolean {
  return (
    text.length < limits.importSessionBytes &&
    /^\s*\{"type":\s*"[a-z]+\.[a-z.]+"/.test(text) &&
    text.trim().includes("\n")
  );
}
