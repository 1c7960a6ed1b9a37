import { useState } from "react";
import { useStore } from "zustand";
import { limits } from "../../base";
import { useWorkbench } from "../workbenchContext";

/** Model calls a turn may take: the agent's `maxSteps`, or the usual number while the field is empty. */
export function StepLimit() {
  const { project } = useWorkbench();
  const maxSteps = useStore(project, (state) => state.agent.maxSteps);
  const kept = maxSteps === undefined ? "" : String(maxSteps);
  const keep = (text: string) => {
    if (text === kept) return;
    const { maxSteps: _before, ...agent } = project.getState().agent;
    project.getState().change({ agent: text === "" ? agent : { ...agent, maxSteps: Number(text) } });
  };
  return <StepLimitInput key={kept} kept={kept} onKeep={keep} />;
}

/** Nothing of what was typed is dropped: what is no limit is refused as it stands. */
function StepLimitInput({ kept, onKeep }: { readonly kept: string; readonly onKeep: (text: string) => void }) {
  const [text, setText] = useState(kept);
  const isRefused = text !== "" && !isStepLimit(text);
  const keep = () => {
    if (!isRefused) onKeep(text);
  };
  return (
    <>
      <label className="step-limit" title="Model calls a turn may take before it is stopped.">
        steps ≤
        <input
          inputMode="numeric"
          value={text}
          placeholder={String(limits.turnSteps)}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? "step-limit-refused" : undefined}
          onChange={(event) => setText(event.target.value.trim())}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.metaKey && !event.ctrlKey) keep();
            if (event.key !== "Escape" || text === kept) return;
            event.preventDefault();
            event.stopPropagation();
            setText(kept);
          }}
        />
      </label>
      {isRefused ? (
        <span id="step-limit-refused" role="alert" className="step-limit-refused bad">
          {`not set: write 1 to ${limits.askedSteps.toLocaleString("en")}, or nothing`}
        </span>
      ) : null}
    </>
  );
}

function isStepLimit(text: string): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= limits.askedSteps;
}
