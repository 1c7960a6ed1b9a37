import { useState, type DragEvent } from "react";

/** An element that takes files from outside: whether some are over it, and what it is to be given. `take` may stop the event. */
export function useFilesDrop(take: (event: DragEvent) => void) {
  const [dropping, setDropping] = useState(false);
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    dropping,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setDropping(true);
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      },
      onDrop(event: DragEvent) {
        setDropping(false);
        if (!carriesFiles(event)) return;
        event.preventDefault();
        take(event);
      },
    },
  };
}
