import { useState, type FormEvent, type ReactNode } from "react";
import type { ReexecuteStore, ReexecutionChoice, ReexecutionPlan } from "../../../store";
import type { DeclaredNormaliser, DivergencePolicy } from "../../../trajectory";
import { Button } from "../../widgets/Button";
import { countText } from "../../widgets/byteText";
import { ReportFile } from "./ReportFile";
import { StartChoice } from "./StartChoice";

const POLICIES: readonly { readonly value: DivergencePolicy; readonly label: string; readonly about: string }[] = [
  {
    value: "recorded",
    label: "The recorded result goes on",
    about: "Files are put back as recorded, so that each call is judged by itself.",
  },
  { value: "real", label: "The real result goes on", about: "Files stay as this run leaves them." },
  { value: "stop", label: "It stops", about: "What comes after the first divergence is not run." },
];

export interface PlanFormProps {
  readonly store: ReexecuteStore;
  readonly plan: ReexecutionPlan;
}

/** What the calls run on, what goes on after a divergence, and what counts as the same. */
export function PlanForm({ store, plan }: PlanFormProps) {
  const [choice, setChoice] = useState<ReexecutionChoice>(() => firstChoice(plan));
  const change = (patch: Partial<ReexecutionChoice>) => setChoice((before) => ({ ...before, ...patch }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void store.getState().run(choice);
  };
  return (
    <form className="reexecute-plan scroll" onSubmit={submit}>
      <StartChoice plan={plan} choice={choice} onChange={change} />
      <fieldset className="reexecute-choice">
        <legend>After a divergence</legend>
        {POLICIES.map(({ value, label, about }) => (
          <Choice
            key={value}
            label={label}
            about={about}
            input={
              <input
                type="radio"
                name="policy"
                checked={choice.policy === value}
                onChange={() => change({ policy: value })}
              />
            }
          />
        ))}
      </fieldset>
      <fieldset className="reexecute-choice">
        <legend>Commands</legend>
        <Choice
          label="Commands that surely only read run on the in-page shell"
          about={commandWords(plan)}
          input={
            <input
              type="checkbox"
              checked={choice.runsCommands && plan.noShell === undefined}
              disabled={plan.commandCount === 0 || plan.noShell !== undefined}
              onChange={(event) => change({ runsCommands: event.target.checked })}
            />
          }
        />
      </fieldset>
      <Normalisers normalisers={plan.normalisers} />
      <div className="reexecute-buttons">
        <Button type="submit" variant="primary" disabled={plan.callCount === 0}>
          {plan.callCount === 0 ? "There is no call to run" : `Run ${countText(plan.callCount, "call")} again`}
        </Button>
        <ReportFile label="Open a saved report…" onFile={(file) => void store.getState().open(file)} />
      </div>
    </form>
  );
}

function firstChoice({ starts }: ReexecutionPlan): ReexecutionChoice {
  const usable = starts.filter(({ unavailable }) => unavailable === undefined);
  const start =
    usable.find(({ kind }) => kind === "snapshot") ?? usable.find(({ kind }) => kind === "inferred") ?? usable[0];
  return { start: start?.kind ?? "mounts", policy: "recorded", runsCommands: true };
}

function commandWords({ commandCount, noShell }: ReexecutionPlan): string {
  if (noShell !== undefined) return noShell;
  if (commandCount === 0) return "The recording runs none.";
  return `${countText(commandCount, "call")} run commands. Those of cat, ls, grep and the like run over a temporary copy of the files; all others are marked as not run.`;
}

export interface ChoiceProps {
  readonly label: string;
  readonly about: ReactNode;
  readonly input: ReactNode;
}

/** One of several, with what it means. */
export function Choice({ label, about, input }: ChoiceProps) {
  return (
    <label className="checkbox">
      {input}
      <span>
        {label}
        <span className="reexecute-about dim small">{about}</span>
      </span>
    </label>
  );
}

function Normalisers({ normalisers }: { readonly normalisers: readonly DeclaredNormaliser[] }) {
  return (
    <details className="reexecute-choice">
      <summary>{`What does not count as a difference (${normalisers.length} normalisers)`}</summary>
      <dl className="reexecute-normalisers">
        {normalisers.map(({ name, about, tools }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="dim">{tools === undefined ? about : `${about} For ${tools.join(", ")}.`}</dd>
          </div>
        ))}
      </dl>
      <p className="dim small">Our own file tools answer exactly: for them only the root path counts.</p>
    </details>
  );
}
