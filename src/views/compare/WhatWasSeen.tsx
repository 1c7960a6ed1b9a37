import { useStore } from "zustand";
import { compareSentence, endedAlike, isWholePair, type ArmSide, type ComparePair } from "../../store";
import { useShowInReplay } from "../session/useShowInReplay";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { Menu, MenuItem } from "../widgets/Menu";
import { useEditedSides, useShownPair } from "./useShownPair";

/** What the pair shown did, in a sentence, and the way to the other pairs. Nothing here says which arm is better. */
export function WhatWasSeen() {
  const { compare } = useWorkbench();
  const pair = useShownPair();
  const files = useStore(compare, (state) => state.files);
  const plan = useStore(compare, (state) => state.record?.plan);
  return (
    <section className="compare-panel seen scroll" aria-label="What was seen">
      {pair === undefined || plan === undefined ? (
        <>
          <p className="dim">What was seen</p>
          <p className="seen-sentence">Nothing has run yet</p>
          <p className="muted">
            Both arms get the same prompts, model, seed, settings and files. Only what you write above differs.
          </p>
        </>
      ) : (
        <>
          <p className="dim">
            {`What was seen, prompt ${pair.promptIndex + 1} of ${plan.prompts.length}`}
            {plan.repeats > 1 ? `, repeat ${pair.repeat + 1} of ${plan.repeats}` : ""}
          </p>
          <p className="seen-sentence">{compareSentence(pair, files)}</p>
          <SeenButtons pair={pair} />
          <PairChoice />
          <Caution />
        </>
      )}
    </section>
  );
}

function Caution() {
  const pairs = useStore(useWorkbench().compare, (state) => state.pairs);
  const whole = pairs.filter(isWholePair);
  if (pairs.length === 1) return <p className="muted">One prompt shows what happened, not which is better.</p>;
  const fewer = whole.filter((pair) => callDifference(pair) < 0).length;
  const more = whole.filter((pair) => callDifference(pair) > 0).length;
  const unlike = whole.filter((pair) => !endedAlike(pair)).length;
  return (
    <p className="muted">
      {`Over ${countText(whole.length, "whole pair")} ${unlike > 0 ? `the arms ended with different files in ${unlike}; ` : ""}B made fewer tool calls in ${fewer}, more in ${more}, as many in ${whole.length - fewer - more}. Counts, not a verdict.`}
    </p>
  );
}

function callDifference({ a, b }: ComparePair): number {
  return (b.metrics?.toolCalls ?? 0) - (a.metrics?.toolCalls ?? 0);
}

/** A square a pair. */
function PairChoice() {
  const { compare } = useWorkbench();
  const pairs = useStore(compare, (state) => state.pairs);
  const shown = useStore(compare, (state) => state.shownPair);
  if (pairs.length < 2) return null;
  return (
    <>
      <div role="radiogroup" aria-label="Pair that is shown" className="pair-squares">
        {pairs.map((pair, index) => (
          <label key={pair.a.planned.id} className={`pair-square pair-${toneOf(pair)}`} title={pairWords(pair)}>
            <input
              type="radio"
              name="pair"
              checked={index === shown}
              onChange={() => compare.getState().showPair(index)}
            />
            <span className="visually-hidden">{pairWords(pair)}</span>
            <span aria-hidden="true">{squareText(pair)}</span>
          </label>
        ))}
      </div>
      <p className="dim small">B’s tool calls against A’s · ● runs · ✕ no result</p>
    </>
  );
}

function toneOf(pair: ComparePair): "whole" | "open" | "running" | "bad" {
  const states = [pair.a.state, pair.b.state];
  if (isWholePair(pair)) return "whole";
  if (states.some((state) => state === "environment" || state === "gone" || state === "stopped")) return "bad";
  return states.some((state) => state === "running" || state === "elsewhere") ? "running" : "open";
}

function squareText(pair: ComparePair): string {
  const tone = toneOf(pair);
  if (tone !== "whole") return { open: "", running: "●", bad: "✕" }[tone];
  const difference = callDifference(pair);
  return difference === 0 ? "0" : `${difference > 0 ? "+" : "−"}${Math.abs(difference)}`;
}

function pairWords(pair: ComparePair): string {
  const words = {
    whole: `B ${squareText(pair)} tool calls against A`,
    open: "not run yet",
    running: "runs",
    bad: "no result",
  };
  return `Prompt ${pair.promptIndex + 1}, repeat ${pair.repeat + 1}: ${words[toneOf(pair)]}`;
}

export function SeenButtons({ pair }: { readonly pair: ComparePair }) {
  return (
    <div className="seen-buttons">
      <OpenInReplay pair={pair} side="a" />
      <OpenInReplay pair={pair} side="b" />
      <TakeInstructions side="a" />
      <TakeInstructions side="b" />
    </div>
  );
}

function OpenInReplay({ pair, side }: { readonly pair: ComparePair; readonly side: ArmSide }) {
  const showInReplay = useShowInReplay();
  const { sessionId, state } = pair[side];
  if (sessionId === undefined || state === "gone") return null;
  return (
    <Button size="small" disabled={state === "running"} onClick={() => showInReplay(sessionId)}>
      {`Open ${side.toUpperCase()} in Replay`}
    </Button>
  );
}

/** The text that ran, since its calls and figures are shown; once it was changed, a person says which of the two. */
function TakeInstructions({ side }: { readonly side: ArmSide }) {
  const { compare, project } = useWorkbench();
  const { takeInstructions } = compare.getState();
  const ran = useStore(compare, (state) => state.record?.plan.variants[side === "a" ? 0 : 1]);
  const current = useStore(project, (state) => state.agent.instructions);
  const isEdited = useEditedSides().includes(side);
  const words = `Use ${side.toUpperCase()}’s instructions`;
  // Only where it would change something.
  if (ran === undefined || (ran.instructions === current && !isEdited)) return null;
  if (!isEdited)
    return (
      <Button size="small" onClick={() => takeInstructions(side, "ran")}>
        {words}
      </Button>
    );
  return (
    <Menu trigger={<Button size="small">{`${words} ▾`}</Button>}>
      <MenuItem onSelect={() => takeInstructions(side, "ran")}>As they ran</MenuItem>
      <MenuItem onSelect={() => takeInstructions(side, "written")}>As edited since the run</MenuItem>
    </Menu>
  );
}
