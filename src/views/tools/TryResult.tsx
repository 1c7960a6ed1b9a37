import { useState } from "react";
import type { TryOutcome } from "../../store";
import { CallSection } from "../session/CallSection";
import { CopyButton } from "../session/CopyButton";
import { DifferenceSections } from "../session/DifferenceSections";
import { durationText } from "../session/durationText";
import { LongText } from "../session/LongText";
import { ServedBy } from "../session/ServedBy";
import { Button } from "../widgets/Button";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { Tag } from "../widgets/Tag";

export interface TryResultProps {
  readonly toolName: string;
  readonly outcome: TryOutcome;
  /** A call under way will replace it. */
  readonly isOld: boolean;
  readonly undo: () => void;
}

/** What a call by hand came to: what it changed, what the model would read, the value behind it, and who served it. */
export function TryResult({ toolName, outcome, isOld, undo }: TryResultProps) {
  const { status, isStub, isFixture, errorCode, durationMs, differences, served } = outcome;
  const sign = isStub ? "○" : status === "completed" ? "✓" : "✕";
  const words = isStub ? "not done (dry run)" : status === "completed" ? "ok" : `failed · ${errorCode ?? "unknown"}`;
  const tone = isStub ? "dim" : status === "completed" ? "ok" : "bad";
  return (
    <section className={isOld ? "try-result try-old" : "try-result"} aria-label={`Result of ${toolName}`}>
      <div className="try-outcome">
        <output className={tone}>
          <span aria-hidden="true">{sign} </span>
          {words}
        </output>
        {isStub || durationMs === undefined ? null : <span className="dim numeric">{durationText(durationMs)}</span>}
        {isFixture ? <Tag tone="warn">recorded results, nothing was searched</Tag> : null}
        {outcome.undo === "none" ? null : (
          <Button size="small" className="push-right" aria-disabled={outcome.undo === "done" || isOld} onClick={undo}>
            {outcome.undo === "done" ? "Put back" : "Undo"}
          </Button>
        )}
      </div>
      <DifferenceSections differences={differences} />
      <Output toolName={toolName} outcome={outcome} />
      {served.length > 0 ? <ServedBy served={served} /> : null}
    </section>
  );
}

type OutputView = "text" | "value";

function Output({ toolName, outcome }: Pick<TryResultProps, "toolName" | "outcome">) {
  const { text, value, images, status } = outcome;
  const [view, setView] = useState<OutputView>("text");
  const showsValue = view === "value" && value !== undefined;
  const shown = showsValue ? JSON.stringify(value, undefined, 2) : text;
  return (
    <CallSection
      title={
        status === "completed"
          ? showsValue
            ? "The value"
            : "As the model reads it"
          : "The error, as the model reads it"
      }
      buttons={
        <>
          {value === undefined ? null : (
            <SegmentedControl<OutputView>
              label={`Result of ${toolName} as`}
              size="small"
              segments={[
                { value: "text", label: "Text" },
                { value: "value", label: "Value" },
              ]}
              value={view}
              onChange={setView}
            />
          )}
          <CopyButton what="the result" text={() => shown} />
        </>
      }
    >
      {shown === "" ? null : <LongText key={view} text={shown} />}
      {showsValue
        ? null
        : images.map(({ base64, mediaType }, index) => (
            <img
              // Two images of a result may be the same; nothing but their place tells them apart.
              key={index}
              className="try-image"
              alt={`Result of ${toolName}, ${index + 1}`}
              src={`data:${mediaType};base64,${base64}`}
            />
          ))}
    </CallSection>
  );
}
