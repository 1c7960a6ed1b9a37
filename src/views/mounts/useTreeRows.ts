import { useMemo, useState } from "react";
import { treeRowsMaker, type TreeRows, type TreeRowsInput } from "../../store";

/** The rows of a tree, made anew when any part of the input is another, from what the last ones know. */
export function useTreeRows({ snapshot, mounts, trees, changes, expanded }: TreeRowsInput): TreeRows {
  const [rowsOf] = useState(treeRowsMaker);
  return useMemo(
    () => rowsOf({ snapshot, mounts, changes, expanded, ...(trees ? { trees } : {}) }),
    [rowsOf, snapshot, mounts, trees, changes, expanded],
  );
}
