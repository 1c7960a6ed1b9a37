import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { SnapshotTree } from "../../fs";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { Menu, MenuChoice } from "../widgets/Menu";
import { PlanDialog } from "./PlanDialog";
import { TreeName } from "./TreeName";

/** What Run would run: stands beside it, below the header. */
export function NextRun() {
  const { project, compare } = useWorkbench();
  const { prompts, repeats = 1, concurrency = 2 } = useStore(project, (state) => state.compare);
  const hasRun = useStore(compare, (state) => state.record !== undefined);
  const [editing, setEditing] = useState(false);
  const count = prompts.filter((prompt) => prompt.trim() !== "").length;
  return (
    <section className={hasRun ? "next-run push-right" : "next-run"} aria-label="Next run">
      <span title={`${concurrency} at a time`}>
        {hasRun ? <span className="dim">Next run </span> : null}
        {hasRun ? countText(count, "prompt") : <b>{countText(count, "prompt")}</b>}
        {hasRun
          ? ` × ${countText(repeats, "repeat")} on `
          : ` × ${countText(repeats, "repeat")} × 2 arms, on forks of `}
        <StartTree />
      </span>
      <Button size="small" onClick={() => setEditing(true)}>
        Prompts and repeats…
      </Button>
      <PlanDialog open={editing} onClose={() => setEditing(false)} />
    </section>
  );
}

/** Which files the arms will begin with. */
function StartTree() {
  const { mounts, project } = useWorkbench();
  const now = useStore(mounts, (state) => state.snapshot);
  const before = useStore(mounts, (state) => state.baseline);
  const start = useStore(project, (state) => state.compare.start ?? "now");
  const isBefore = start === "before-run" && before !== undefined;
  const name = <TreeName hash={useRootHash(isBefore ? before : now)} />;
  if (before === undefined) return name;
  return (
    <Menu
      trigger={
        <button type="button" className="start-tree">
          {name}
          <span className="muted">{isBefore ? ", before the last run" : ", as it is now"}</span>
          <span aria-hidden="true"> ▾</span>
        </button>
      }
    >
      <MenuChoice
        value={start}
        choices={[
          { value: "now", label: "The files as they are now" },
          { value: "before-run", label: "As they were before the last run" },
        ]}
        onChange={(next) => project.getState().changeCompare({ start: next })}
      />
    </Menu>
  );
}

/** The tree's own, never that of the one before: it is unknown until it was reckoned. */
function useRootHash(tree: SnapshotTree): string | undefined {
  const [known, setKnown] = useState<{ readonly tree: SnapshotTree; readonly hash: string }>();
  useEffect(() => {
    let current = true;
    void tree.rootHash().then((hash) => (current ? setKnown({ tree, hash }) : undefined));
    return () => {
      current = false;
    };
  }, [tree]);
  return known?.tree === tree ? known.hash : undefined;
}
