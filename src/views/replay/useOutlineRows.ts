import { useMemo } from "react";
import { outlineRows } from "../../store";
import { useReplayLook } from "./replayLookContext";

/** The lines of the outline as it is filtered and folded. */
export function useOutlineRows() {
  const nodes = useReplayLook((state) => state.nodes);
  const filter = useReplayLook((state) => state.filter);
  const toggled = useReplayLook((state) => state.toggled);
  return useMemo(() => outlineRows(nodes, filter, toggled), [nodes, filter, toggled]);
}
