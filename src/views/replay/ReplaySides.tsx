import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { PanelHeader } from "../widgets/PanelHeader";
import { ReplayOutline } from "./ReplayOutline";
import { ReplayTree } from "./ReplayTree";

/** The steps of the session, and its files at this point. */
export function ReplaySides() {
  const { replay } = useWorkbench();
  const steps = useStore(replay, (state) => state.stepIndexes.length);
  const changed = useStore(replay, (state) => state.changes.count);
  return (
    <div className="replay-sides">
      <PanelHeader title="Steps" detail={String(steps)} />
      <ReplayOutline />
      <div className="files-header">
        <PanelHeader title="Files" detail={changed === 0 ? "as at the start" : `${changed} changed since the start`} />
      </div>
      <ReplayTree />
    </div>
  );
}
