import { CornerLeftUp, GitBranch } from "lucide-react";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { Menu, MenuItem } from "../widgets/Menu";
import { useReplayLook } from "./replayLookContext";

/** The session this one works for, and the other branches of the recording. */
export function RelatedSessions() {
  const { replay } = useWorkbench();
  const { parent, branches } = useReplayLook((state) => state.family);
  if (parent === undefined && branches.length === 0) return null;
  const { open } = replay.getState();
  return (
    <div className="replay-related small">
      {parent === undefined ? null : (
        <button type="button" className="link-button" onClick={() => void open(parent.record.id)}>
          <CornerLeftUp size={12} aria-hidden="true" />
          <span className="truncate">{`works for “${parent.record.name}”`}</span>
        </button>
      )}
      {branches.length === 0 ? null : (
        <Menu
          width={300}
          trigger={
            <button type="button" className="link-button">
              <GitBranch size={12} aria-hidden="true" />
              {`${countText(branches.length, "other branch", "other branches")} ▾`}
            </button>
          }
        >
          {branches.map(({ id, name, eventCount, imported }) => (
            <MenuItem key={id} detail={countText(eventCount, "event")} onSelect={() => void open(id)}>
              {imported?.branch === undefined ? `${name} · the newest` : name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}
