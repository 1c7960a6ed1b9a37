import { useState } from "react";
import { useStore } from "zustand";
import { isOpen, runsOf } from "../../store";
import { useLoaded } from "../session/useLoaded";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { Menu, MenuChoice } from "../widgets/Menu";
import { PlanDialog } from "./PlanDialog";

export interface CompareBarProps {
  /** Whether what is said between calls is shown too. */
  readonly withWords: boolean;
  readonly onWithWords: (withWords: boolean) => void;
}

/** What will run, on what, and how far it is. */
export function CompareBar({ withWords, onWithWords }: CompareBarProps) {
  const { project } = useWorkbench();
  const { prompts, repeats = 1, concurrency = 2 } = useStore(project, (state) => state.compare);
  const [editing, setEditing] = useState(false);
  const count = prompts.filter((prompt) => prompt.trim() !== "").length;
  return (
    <div className="compare-bar">
      <span>
        <b>{countText(count, "prompt")}</b>
        {` × ${countText(repeats, "repeat")} × 2 arms, on forks of `}
        <StartTree />
      </span>
      <Button size="small" onClick={() => setEditing(true)}>
        Prompts and repeats…
      </Button>
      <span className="dim compare-bar-extra">{`${concurrency} at a time`}</span>
      <span className="push-right" />
      <WordsToggle withWords={withWords} onWithWords={onWithWords} />
      <Rest />
      <Done />
      <PlanDialog open={editing} onClose={() => setEditing(false)} />
    </div>
  );
}

/** Which files the arms begin with, by the fingerprint of all they hold. */
function StartTree() {
  const { mounts, project } = useWorkbench();
  const now = useStore(mounts, (state) => state.snapshot);
  const before = useStore(mounts, (state) => state.baseline);
  const start = useStore(project, (state) => state.compare.start ?? "now");
  const isBefore = start === "before-run" && before !== undefined;
  const tree = isBefore ? before : now;
  const loaded = useLoaded(`${isBefore}/${tree.fileCount}/${tree.sizeBytes}`, () => tree.rootHash());
  const hash = <span className="mono">{`tree ${loaded.state === "loaded" ? loaded.value.slice(0, 6) : "……"}`}</span>;
  if (before === undefined) return hash;
  return (
    <Menu
      trigger={
        <button type="button" className="start-tree">
          {hash}
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

function WordsToggle({ withWords, onWithWords }: CompareBarProps) {
  const has = useStore(useWorkbench().compare, (state) => state.lines.some((line) => line.kind === "words"));
  if (!has) return null;
  return (
    <button type="button" className="tag-toggle" aria-pressed={withWords} onClick={() => onWithWords(!withWords)}>
      words between calls
    </button>
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
