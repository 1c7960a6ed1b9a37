import { useStore } from "zustand";
import { isOpen, runsOf } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { NextRun } from "./NextRun";
import { TreeName } from "./TreeName";
import { useEditedSides } from "./useShownPair";

export interface CompareBarProps {
  /** Whether what is said between calls is shown too. */
  readonly withWords: boolean;
  readonly onWithWords: (withWords: boolean) => void;
}

/** What the runs below ran on and how far they are, and what the next run would run on. */
export function CompareBar({ withWords, onWithWords }: CompareBarProps) {
  return (
    <div className="compare-bar">
      <ShownRuns />
      <Done />
      <Rest />
      <WordsToggle withWords={withWords} onWithWords={onWithWords} />
      <NextRun />
    </div>
  );
}

/** The comparison whose results are shown, whatever was changed since. */
function ShownRuns() {
  const record = useStore(useWorkbench().compare, (state) => state.record);
  if (record === undefined) return null;
  const { prompts, repeats } = record.plan;
  return (
    <span>
      <span className="dim">Shown </span>
      <b>{countText(prompts.length, "prompt")}</b>
      {` × ${countText(repeats, "repeat")} × 2 arms, on forks of `}
      <TreeName hash={record.tree} />
    </span>
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
  const isEdited = useEditedSides().length > 0;
  const open = runsOf(pairs).filter(isOpen).length;
  if (!idle || !canGoOn || open === 0) return null;
  return (
    <Button size="small" onClick={() => void compare.getState().runRest()}>
      {`Run the ${open} without a result${isEdited ? ", with the older texts" : ""}`}
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
