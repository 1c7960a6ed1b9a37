import { useId, type ReactNode } from "react";
import { useStore } from "zustand";
import type { DiscoveryFault, JsonValue } from "../../base";
import { isHostRuntime, isVirtualRuntime } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { FieldNotes } from "./FieldNotes";
import { textOfValue } from "./formFields";
import { HostFields } from "./HostFields";

interface FieldProps {
  readonly value: unknown;
  readonly faults: readonly DiscoveryFault[];
  readonly set: (value: JsonValue | undefined) => void;
}

/** Where the agent runs: on the mounts, in one of the two ways a tree can be given, or on the host. */
export function PlaceFields({ value, faults, set }: FieldProps) {
  const { mounts } = useWorkbench();
  const prefixes = useStore(mounts, (state) => state.mounts.map(({ prefix }) => prefix).join(", "));
  const isRoot = value === undefined || value === "local";
  return (
    <Choice
      legend="Runs on"
      faults={faults}
      value={isRoot ? "root" : isVirtualRuntime(value) ? "virtual" : isHostRuntime(value) ? "host" : ""}
      choices={[
        {
          value: "root",
          label: "the mounts as its root",
          words: `${prefixes === "" ? "" : `${prefixes}. `}Every tool a whole tree can serve, the web and the session's own.`,
        },
        {
          value: "virtual",
          label: "the mounts as a virtual tree",
          words: "The file tools; of the others only what the list below names, subagents (task) among them.",
        },
        {
          value: "host",
          label: "the in-page host",
          words:
            "A disk of its own at /home/project with a shell on it (Shell); subagents too. The other mounts are not seen.",
        },
      ]}
      onChange={(next) => set(next === "root" ? undefined : { kind: "local", workspace: next })}
    >
      {isHostRuntime(value) ? <HostFields value={value} set={set} /> : null}
      {isRoot || isVirtualRuntime(value) || isHostRuntime(value) ? null : (
        <p className="mono small">{textOfValue(value)}</p>
      )}
    </Choice>
  );
}

/** When a person is asked before a tool runs. */
export function ApprovalFields({ value, faults, set }: FieldProps) {
  return (
    <Choice
      legend="Asks a person"
      faults={faults}
      value={value === undefined || value === "never" ? "never" : value === "writes" ? "writes" : ""}
      choices={[
        { value: "never", label: "where a tool asks by itself", words: "Writes are done at once." },
        { value: "writes", label: "before every write", words: "Each write waits with the difference it would make." },
      ]}
      onChange={(next) => set(next === "never" ? undefined : next)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly legend: string;
  readonly faults: readonly DiscoveryFault[];
  /** None of the choices, where the JSON says something else. */
  readonly value: Value | "";
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly words: string }[];
  readonly onChange: (value: Value) => void;
  readonly children?: ReactNode;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { legend, faults, value, choices, onChange, children } = props;
  const name = useId();
  return (
    <fieldset className="agent-set">
      <legend className="field-label">{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="agent-choice">
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>
            {choice.label} <span className="dim small">{choice.words}</span>
          </span>
        </label>
      ))}
      {children}
      <FieldNotes faults={faults} />
    </fieldset>
  );
}
