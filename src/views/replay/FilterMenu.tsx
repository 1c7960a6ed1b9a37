import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { isFiltering, toolsCalled, type FilterKind } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { Popover } from "../widgets/Popover";
import { useReplayLook, useReplayLookStore } from "./replayLookContext";
import { useAsked } from "./useAsked";

const KINDS: readonly { readonly value: FilterKind; readonly label: string }[] = [
  { value: "messages", label: "Messages" },
  { value: "reasoning", label: "Reasoning" },
  { value: "calls", label: "Calls" },
  { value: "changes", label: "Changes of files" },
  { value: "errors", label: "Errors" },
  { value: "entries", label: "Other entries of the recording" },
];

const ANY = "";

/** What of the session its outline shows. */
export function FilterMenu() {
  const look = useReplayLookStore();
  const filter = useReplayLook((state) => state.filter);
  const { found } = useReplayLook((state) => state.shown);
  const [open, setOpen] = useState(false);
  useAsked("filter", () => setOpen(true));
  useAsked("clear-filter", () => look.getState().clearFilter());
  const isOn = isFiltering(filter);
  return (
    <span className="replay-filter">
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Filter"
        align="end"
        trigger={
          <Button size="small" aria-keyshortcuts="f">
            <ListFilter size={14} aria-hidden="true" />
            {isOn ? `Filter: ${foundWords(found)}` : "Filter"}
          </Button>
        }
      >
        <FilterForm />
      </Popover>
      {isOn ? (
        <button type="button" className="link-button small" onClick={() => look.getState().clearFilter()}>
          clear
        </button>
      ) : null}
    </span>
  );
}

function foundWords(found = 0): string {
  return found === 0 ? "nothing found" : `${found.toLocaleString("en")} found`;
}

function FilterForm() {
  const look = useReplayLookStore();
  const filter = useReplayLook((state) => state.filter);
  const nodes = useReplayLook((state) => state.nodes);
  const { found } = useReplayLook((state) => state.shown);
  const mounts = useStore(useWorkbench().replay, (state) => state.mounts);
  const { setFilter, clearFilter } = look.getState();
  const toggleKind = (kind: FilterKind) => {
    const kinds = new Set(filter.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    setFilter({ kinds });
  };
  return (
    <div className="filter-form">
      <fieldset>
        <legend className="small dim">Show in Steps only</legend>
        {KINDS.map(({ value, label }) => (
          <label key={value} className="filter-check">
            <input type="checkbox" checked={filter.kinds.has(value)} onChange={() => toggleKind(value)} />
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend className="small dim">And of these</legend>
        <label className="filter-check">
          <input
            type="checkbox"
            checked={filter.failedOnly}
            onChange={() => setFilter({ failedOnly: !filter.failedOnly })}
          />
          only what failed
        </label>
        <label className="filter-check">
          <input
            type="checkbox"
            checked={filter.changedOnly}
            onChange={() => setFilter({ changedOnly: !filter.changedOnly })}
          />
          only what changed files
        </label>
      </fieldset>
      <FilterChoice
        label="Tool"
        any="any tool"
        value={filter.toolName}
        choices={toolsCalled(nodes).map(([name, calls]) => ({ value: name, label: `${name}, ${calls}` }))}
        onChange={(toolName) => setFilter({ toolName })}
      />
      {mounts.length === 0 ? null : (
        <FilterChoice
          label="Mount"
          any="any mount"
          value={filter.mount}
          choices={mounts.map(({ prefix }) => ({ value: prefix, label: prefix }))}
          onChange={(mount) => setFilter({ mount })}
        />
      )}
      <p className="filter-foot">
        <output className="small dim">
          {found === undefined
            ? "Steps shows everything."
            : `${found.toLocaleString("en")} shown in Steps; the session stays whole.`}
        </output>
        <Button size="small" disabled={!isFiltering(filter)} onClick={clearFilter}>
          Clear
        </Button>
      </p>
    </div>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  readonly any: string;
  readonly value: string | undefined;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string | undefined) => void;
}

function FilterChoice({ label, any, value, choices, onChange }: FilterChoiceProps) {
  return (
    <label className="filter-choice">
      <span className="muted">{label}</span>
      <select
        value={value ?? ANY}
        onChange={(event) => onChange(event.target.value === ANY ? undefined : event.target.value)}
      >
        <option value={ANY}>{any}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}
