import { useFilesDrop } from "../widgets/useFilesDrop";
import { sourceFromDrop } from "./droppedItems";
import { useImport } from "./useImport";

/** Files from outside can be dropped anywhere on the column: on a folder into it, elsewhere where they fit. */
export function useFileDrop() {
  const importInto = useImport();
  return useFilesDrop(
    (event) => void importInto(sourceFromDrop(event.dataTransfer), directoryUnder(event.target as Element)),
  );
}

/** The directory a drop points at: the row's own, or the one that holds the row's file. */
function directoryUnder(target: Element): string | undefined {
  const row = target.closest<HTMLElement>("[data-path]");
  const path = row?.dataset["path"];
  if (path === undefined) return undefined;
  return row?.hasAttribute("aria-expanded") ? path : path.slice(0, path.lastIndexOf("/")) || "/";
}
