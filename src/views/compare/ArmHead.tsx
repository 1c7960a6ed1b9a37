import { useStore } from "zustand";
import type { ArmSide, CompareRun } from "../../store";
import { durationText } from "../session/durationText";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { Tag } from "../widgets/Tag";
import { InstructionsField } from "./InstructionsField";
import { useEditedSides, useShownPair, useVariant } from "./useShownPair";

/** One arm: its name, how the run shown of it stands, and its instructions, to be written here. */
export function ArmHead({ side }: { readonly side: ArmSide }) {
  const { project } = useWorkbench();
  const variant = useVariant(side);
  const setVariant = (patch: { readonly label?: string; readonly instructions?: string }) => {
    const { compare, changeCompare } = project.getState();
    const index = side === "a" ? 0 : 1;
    const before = compare.variants[index];
    if (before) changeCompare({ variants: compare.variants.with(index, { ...before, ...patch }) });
  };
  const letter = side.toUpperCase();
  if (variant === undefined) return null;
  return (
    <section className={`arm arm-${side}`} aria-label={`Arm ${letter}`}>
      <div className="arm-title">
        <Tag>{letter}</Tag>
        <input
          className="arm-label"
          aria-label={`Name of ${letter}`}
          value={variant.label}
          spellCheck={false}
          onChange={(event) => setVariant({ label: event.target.value })}
        />
        <ShownPrompt side={side} />
        <RunWords side={side} />
      </div>
      <InstructionsField
        side={side}
        text={variant.instructions}
        onChange={(instructions) => setVariant({ instructions })}
      />
    </section>
  );
}

function ShownPrompt({ side }: { readonly side: ArmSide }) {
  const { compare } = useWorkbench();
  const pair = useShownPair();
  const plan = useStore(compare, (state) => state.record?.plan);
  if (pair === undefined || plan === undefined) return null;
  return (
    <>
      <EditedSince side={side} />
      <span className="dim small truncate arm-prompt">
        {side === "a"
          ? `prompt ${pair.promptIndex + 1} of ${plan.prompts.length}${plan.repeats > 1 ? `, repeat ${pair.repeat + 1} of ${plan.repeats}` : ""} · “${plan.prompts[pair.promptIndex] ?? ""}”`
          : "same prompt, same tree"}
      </span>
    </>
  );
}

/** The calls below are of the instructions as they were. */
function EditedSince({ side }: { readonly side: ArmSide }) {
  if (!useEditedSides().includes(side)) return null;
  return (
    <Tag tone="warn" title="The calls below were made with the instructions as they were before you changed them.">
      changed since the run
    </Tag>
  );
}

function RunWords({ side }: { readonly side: ArmSide }) {
  const { compare } = useWorkbench();
  const run = useShownPair()?.[side];
  const { calls, stubbed } = useStore(
    useStore(compare, (state) => state.looks[side]),
    (look) => look.session.counts,
  );
  if (run === undefined) return null;
  const { sign, tone, words } = wordsOfRun(
    run,
    `${countText(calls, "call")}${stubbed > 0 ? `, ${stubbed} not done` : ""}`,
  );
  return (
    <span className={`arm-state numeric ${tone}`} title={run.message}>
      <span aria-hidden="true">{sign}</span> {words}
    </span>
  );
}

function wordsOfRun(run: CompareRun, calls: string): { sign: string; tone: string; words: string } {
  const figures = `${calls}${run.metrics ? ` · ${durationText(run.metrics.wallTimeMs)}` : ""}`;
  switch (run.state) {
    case "completed":
      return { sign: "✓", tone: "ok", words: `done · ${figures}` };
    case "failed":
      return { sign: "✕", tone: "bad", words: `did not complete · ${figures}` };
    case "environment":
      return { sign: "✕", tone: "bad", words: "no result: could not run" };
    case "stopped":
      return { sign: "●", tone: "warn", words: `stopped · ${figures}` };
    case "running":
      return { sign: "●", tone: "arm-running", words: `running · ${figures}` };
    case "elsewhere":
      return { sign: "●", tone: "warn", words: "another tab runs it" };
    case "reading":
      return { sign: "", tone: "dim", words: "reading…" };
    case "gone":
      return { sign: "✕", tone: "dim", words: "its session was deleted" };
    default:
      return { sign: "", tone: "dim", words: "not run yet" };
  }
}
