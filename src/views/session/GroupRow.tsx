import { memo } from "react";
import { useShallow } from "zustand/react/shallow";
import { groupCounts, groupTools } from "../../store";
import type { RowFocus } from "./RowList";
import { useSessionLook } from "./useSessionState";

export interface GroupRowProps {
  readonly id: string;
  readonly callIds: readonly string[];
  readonly focus: RowFocus;
}

/** A run of reads in one line: `12 ok · 1 failed`. */
export const GroupRow = memo(function GroupRow({ id, callIds, focus }: GroupRowProps) {
  const counts = useSessionLook(useShallow((state) => groupCounts(state.session, callIds)));
  const tools = useSessionLook((state) => groupTools(state.session, callIds));
  const open = useSessionLook((state) => state.openIds.has(id));
  const toggle = useSessionLook((state) => state.toggle);
  return (
    <div className="call-slot">
      <div className="call">
        <button type="button" className="call-head" aria-expanded={open} onClick={() => toggle(id)} {...focus}>
          <span className="call-sign dim" aria-hidden="true">
            {open ? "▾" : "▸"}
          </span>
          <span className="call-name">{`${callIds.length} reads`}</span>
          <span className="call-where truncate">{tools}</span>
          <span className="call-side">
            <span className="ok">{`${counts.ok} ok`}</span>
            {counts.failed > 0 ? (
              <>
                <span aria-hidden="true">·</span>
                <span className="bad">{`${counts.failed} failed`}</span>
              </>
            ) : null}
          </span>
        </button>
      </div>
    </div>
  );
});
