import { useId } from "react";
import { useStore } from "zustand";
import type { JsonObject, JsonValue } from "../../base";
import type { HostRuntimeDocument, ProjectHost } from "../../store";
import { HostStatusLine } from "../host/HostStatusLine";
import { useProjectHost } from "../host/useProjectHost";
import { TextField } from "../widgets/TextField";

export interface HostFieldsProps {
  readonly value: HostRuntimeDocument;
  readonly set: (value: JsonValue | undefined) => void;
}

/** Where on the host's disk sessions work, how far the shell may go, and what runs it. */
export function HostFields({ value, set }: HostFieldsProps) {
  const { options = {} } = value;
  const change = (patch: JsonObject) => {
    const next = Object.entries({ ...options, ...patch }).filter(([, option]) => option !== undefined && option !== "");
    const runtime: JsonObject = { kind: "local", workspace: "host" };
    set(next.length === 0 ? runtime : { ...runtime, options: Object.fromEntries(next) as JsonObject });
  };
  return (
    <div className="agent-host">
      <TextField
        label="Works in"
        mono
        value={typeof options.workspaceDir === "string" ? options.workspaceDir : ""}
        placeholder="/home/project"
        hint="A directory of the host's disk; a relative one begins at /home/project."
        onChange={(workspaceDir) => change({ workspaceDir })}
      />
      <label className="agent-choice">
        <input
          type="checkbox"
          checked={options.sandbox !== undefined && options.sandbox !== false}
          onChange={(event) => change({ sandbox: event.target.checked ? true : undefined })}
        />
        <span>
          Sandboxed <span className="dim small">Tighter limits, and no commands that use the network.</span>
        </span>
      </label>
      <HostChoice />
    </div>
  );
}

function HostChoice() {
  const host = useProjectHost();
  return host ? <ChosenHost host={host} /> : null;
}

const KINDS = [
  { kind: "embedded", label: "simulated bash", words: "In this page, offline too." },
  { kind: "webcontainer", label: "WebContainer", words: "Real Node; needs the internet and an isolated page." },
] as const;

function ChosenHost({ host }: { readonly host: ProjectHost }) {
  const kind = useStore(host.state, (state) => state.kind);
  const name = useId();
  return (
    <fieldset className="agent-set">
      <legend className="field-label">Commands run in</legend>
      {KINDS.map((choice) => (
        <label key={choice.kind} className="agent-choice">
          <input
            type="radio"
            name={name}
            checked={choice.kind === kind}
            onChange={() => void host.choose(choice.kind)}
          />
          <span>
            {choice.label} <span className="dim small">{choice.words}</span>
          </span>
        </label>
      ))}
      <HostStatusLine host={host} />
    </fieldset>
  );
}
