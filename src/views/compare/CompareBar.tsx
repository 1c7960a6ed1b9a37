import { useState } from "react";
import { useStore } from "zustand";
import { isOpen, runsOf } from "../../store";
import { useLoaded } from "../session/useLoaded";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { PlanDialog } from "./PlanDialog";

/** What will run, on what, and how far it is. */
export function CompareBar() {
  const { project } = useWorkbench();
  const { prompts, repeats = 1, concurrency = 2 } = useStore(project, (state) => state.compare);
  const [editing, setEditing] = useState(false);
  const count = prompts.filter((prompt) => prompt.trim() !== "").length;
  return (
    <div className="compare-bar">
      <span>
        <b>{countText(count, "prompt")}</b>
        {` × ${countText(repeats, "repeat")} × 2 arms, on forks of `}
        <TreeHash />
      </span>
      <Button size="small" onClick={() => setEditing(true)}>
        Prompts and repeats…
      </Button>
      <span className="dim compare-bar-extra">{`${concurrency} at a time`}</span>
      <span className="push-right" />
      <Rest />
      <Done />
      <PlanDialog open={editing} onClose={() => setEditing(false)} />
    </div>
  );
}

function TreeHash() {
  const { mounts } = useWorkbench();
  const tree = useStore(mounts, (state) => state.snapshot);
  // The files may be listed without end while a run writes: the fingerprint follows when it is known.
  const loaded = useLoaded(`${tree.fileCount}/${tree.sizeBytes}`, () => tree.rootHash());
  return (
    <span className="mono" title="The files as they are now, by the fingerprint of all they hold">
      {`tree ${loaded.state === "loaded" ? loaded.value.slice(0, 6) : "……"}`}
    </span>
  );
}

/** What has no result yet can be carried out without what has. */
function Rest() {
  const { compare } = useWorkbench();
  const pairs = useStore(compare, (state) => state.pairs);
  const idle = useStore(compare, (state) => state.status === "idle");
  const canGoOn = useStore(compare, (state) => state.record?.model !== undefined);
  const open = runsOf(pairs).filter(isOpen).length;
  if (!idle || !canGoOn || open === 0) return null;
  return (
    <Button size="small" onClick={() => void compare.getState().runRest()}>
      {`Run the ${open} without a result`}
    </Button>
  );
}

function Done() {
  const { compare } = useWorkbench();
  const pairs = useStore(compare, (state) => state.pairs);
  const runs = runsOf(pairs);
  if (runs.length === 0) return null;
  const over = runs.filter(({ state }) => state === "completed" || state === "failed").length;
  const words = `${over} of ${runs.length} done`;
  return (
    <>
      <span className="dim numeric">{words}</span>
      <progress className="progress-bar compare-progress" aria-label="Runs done" max={runs.length} value={over} />
    </>
  );
}
