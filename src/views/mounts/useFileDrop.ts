import { useState, type DragEvent } from "react";
import { useWorkbench } from "../workbenchContext";
import { useFilesDrop } from "../widgets/useFilesDrop";
import { sourceFromDrop } from "./droppedItems";
import { uploadTarget } from "./uploadTarget";
import { useImport } from "./useImport";

/** Files from outside can be dropped anywhere on the column: on a folder into it, elsewhere where they fit. */
export function useFileDrop() {
  const { mounts } = useWorkbench();
  const importInto = useImport();
  const [over, setOver] = useState<string | undefined>(undefined);
  const { dropping, handlers } = useFilesDrop(
    (event) => void importInto(sourceFromDrop(event.dataTransfer), directoryUnder(event.target as Element)),
  );
  return {
    /** The directory that would take what is dragged over the column; empty where none would. */
    dropTarget: dropping ? (over ?? "") : undefined,
    handlers: {
      ...handlers,
      onDragOver(event: DragEvent) {
        setOver(directoryUnder(event.target as Element) ?? uploadTarget(mounts.getState()));
        handlers.onDragOver(event);
      },
    },
  };
}

/** The directory a drop points at: the row's own, or the one that holds the row's file. */
function directoryUnder(target: Element): string | undefined {
  const row = target.closest<HTMLElement>("[data-path]");
  const path = row?.dataset["path"];
  if (path === undefined) return undefined;
  return row?.hasAttribute("aria-expanded") ? path : path.slice(0, path.lastIndexOf("/")) || "/";
}
