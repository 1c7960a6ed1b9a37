import { useState, type ClipboardEvent, type DragEvent } from "react";
import { attachFiles } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** Files of these kinds that are pasted are saved sessions, which the column imports. */
const SESSION_FILES = /\.(ndjson|jsonl|zip)$/i;

/** Files dropped on the message box or pasted into it: they go into a mount, and `attached` is told their paths. */
export function useAttachments(attached: (paths: readonly string[]) => void) {
  const { mounts, notices } = useWorkbench();
  const [dropping, setDropping] = useState(false);
  const take = async (files: readonly File[]) => {
    const { paths, refused } = await attachFiles(mounts.getState(), files);
    if (paths.length > 0) attached(paths);
    const [first, ...rest] = refused;
    if (first !== undefined)
      notices
        .getState()
        .push({ tone: "warn", text: `Not attached: ${first}`, ...(rest.length > 0 ? { details: rest } : {}) });
  };
  return {
    dropping,
    take,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        // The column behind takes sessions; here it is the message that gets files.
        event.stopPropagation();
        event.dataTransfer.dropEffect = "copy";
        setDropping(true);
      },
      onDragLeave: () => setDropping(false),
      onDrop(event: DragEvent) {
        setDropping(false);
        const files = [...event.dataTransfer.files];
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void take(files);
      },
      onPaste(event: ClipboardEvent) {
        const files = [...event.clipboardData.files].filter((file) => !SESSION_FILES.test(file.name));
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void take(files);
      },
    },
  };
}

/** A message with paths after what is written. */
export function withPaths(message: string, paths: readonly string[]): string {
  const gap = message === "" || /\s$/.test(message) ? "" : " ";
  return `${message}${gap}${paths.join(" ")} `;
}
