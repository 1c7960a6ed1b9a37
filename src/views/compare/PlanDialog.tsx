import { Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import { useStore } from "zustand";
import { limits } from "../../base";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { Dialog } from "../widgets/Dialog";
import { IconButton } from "../widgets/IconButton";

/** The prompts, how often each runs, and how many runs go on at once. */
export function PlanDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { project } = useWorkbench();
  const { prompts, repeats = 1, concurrency = 2 } = useStore(project, (state) => state.compare);
  const { changeCompare } = project.getState();
  const setPrompt = (index: number, prompt: string) => changeCompare({ prompts: prompts.with(index, prompt) });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Prompts and repeats"
      description="Each prompt runs with both instruction texts, each run on its own fork of the same files."
      width={640}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ol className="plan-prompts">
        {prompts.map((prompt, index) => (
          // A prompt is its place in the list.
          <li key={index} className="plan-prompt">
            <span className="dim numeric plan-number">{index + 1}</span>
            <textarea
              className="input"
              aria-label={`Prompt ${index + 1}`}
              rows={2}
              value={prompt}
              onChange={(event) => setPrompt(index, event.target.value)}
            />
            <IconButton
              label={`Remove prompt ${index + 1}`}
              icon={<Trash2 size={14} aria-hidden="true" />}
              disabled={prompts.length === 1}
              onClick={() => changeCompare({ prompts: prompts.toSpliced(index, 1) })}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden="true" />}
          onClick={() => changeCompare({ prompts: [...prompts, ""] })}
        >
          Add a prompt
        </Button>
      </div>
      <div className="plan-numbers">
        <NumberField
          label="Repeats of each prompt"
          value={repeats}
          max={limits.compareRepeats}
          onChange={(next) => changeCompare({ repeats: next })}
        />
        <NumberField
          label="Runs at the same time"
          value={concurrency}
          max={limits.compareConcurrency}
          onChange={(next) => changeCompare({ concurrency: next })}
        />
      </div>
    </Dialog>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

function NumberField({ label, value, max, onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
        <span className="dim">{` (1 to ${max})`}</span>
      </label>
      <input
        id={id}
        className="input numeric"
        type="number"
        min={1}
        max={max}
        value={value}
        onChange={(event) => {
          const next = event.target.valueAsNumber;
          if (Number.isInteger(next) && next >= 1) onChange(Math.min(max, next));
        }}
      />
    </div>
  );
}
