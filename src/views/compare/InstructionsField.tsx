import { useStore } from "zustand";
import type { ArmSide } from "../../store";
import { useWorkbench } from "../workbenchContext";

export interface InstructionsFieldProps {
  readonly side: ArmSide;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** An arm's instructions, to be written in; lines the other arm has not are marked while one writes. */
export function InstructionsField({ side, text, onChange }: InstructionsFieldProps) {
  const lines = useStore(useWorkbench().compare, (state) => state.instructions?.[side]);
  const known = lines?.map((line) => line.text).join("\n");
  const isCurrent = known === text || `${known}\n` === text;
  return (
    <div className="instructions scroll">
      <div className="instructions-text mono" aria-hidden="true">
        {isCurrent
          ? lines?.map((line, index) => (
              // A line is its number.
              <div key={index}>
                <span className={line.kind === "same" ? "" : `diff-${line.kind}`}>{line.text || "\u200b"}</span>
              </div>
            ))
          : text}
      </div>
      <textarea
        className="instructions-input mono"
        aria-label={`Instructions of ${side.toUpperCase()}`}
        value={text}
        placeholder={`What ${side.toUpperCase()} is told before the prompt`}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
