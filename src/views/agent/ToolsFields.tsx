import type { AgentReport } from "../../agent";
import type { AllowlistName, DiscoveryFault, JsonValue } from "../../base";
import { Choice } from "./ChoiceFields";
import { textOfValue } from "./formFields";

interface ToolWords {
  readonly name: AllowlistName;
  readonly words: string;
  /** Shown only where it is listed, or can be offered: nothing here stands behind it otherwise. */
  readonly isRare?: true;
}

const FAMILIES: readonly { readonly title: string; readonly tools: readonly ToolWords[] }[] = [
  {
    title: "Looking",
    tools: [
      { name: "read", words: "Read a file" },
      { name: "ls", words: "List a folder" },
      { name: "glob", words: "Find files by their paths" },
      { name: "grep", words: "Find lines by a pattern" },
      { name: "semSearch", words: "Find passages by words" },
    ],
  },
  {
    title: "Changing",
    tools: [
      { name: "edit", words: "Write a file, replace text in it" },
      { name: "delete", words: "Delete files and folders" },
      { name: "shell", words: "Run commands", isRare: true },
    ],
  },
  {
    title: "The web",
    tools: [
      { name: "webSearch", words: "Search the web" },
      { name: "webFetch", words: "Fetch a page" },
    ],
  },
  {
    title: "The session's own",
    tools: [
      { name: "updateTodos", words: "Write the list of todos" },
      { name: "readTodos", words: "Read it" },
      { name: "mcp", words: "Tools of connections" },
      { name: "task", words: "Give a task to a subagent", isRare: true },
      { name: "readLints", words: "Read what a language service says", isRare: true },
    ],
  },
];

const KNOWN = new Set<unknown>(FAMILIES.flatMap(({ tools }) => tools.map(({ name }) => name)));

export interface ToolsFieldsProps {
  readonly value: unknown;
  readonly faults: readonly DiscoveryFault[];
  readonly report: AgentReport | undefined;
  readonly set: (value: JsonValue | undefined) => void;
}

/** The allowlist: everything there is, or the names that are ticked. */
export function ToolsFields({ value, faults, report, set }: ToolsFieldsProps) {
  const offered = new Set<unknown>(report?.offered.map(({ allowlistName }) => allowlistName));
  const ticked: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [...offered] : [];
  const toggle = (name: unknown) =>
    set((ticked.includes(name) ? ticked.filter((other) => other !== name) : [...ticked, name]) as JsonValue);
  const isShown = ({ name, isRare }: ToolWords) =>
    isRare !== true || ticked.includes(name) || offered.has(name) || canBeListed(name, report);
  const strangers = Array.isArray(value)
    ? [...new Set(value as readonly unknown[])].filter((name) => !KNOWN.has(name))
    : [];
  return (
    <Choice
      legend="Tools"
      faults={faults}
      value={value === undefined ? "all" : "listed"}
      choices={[
        { value: "all", label: "every tool there is", words: "The list is left out; what comes later is offered too." },
        { value: "listed", label: "only those ticked", words: "The list narrows what there is." },
      ]}
      onChange={(next) => set(next === "all" ? undefined : ([...ticked] as JsonValue))}
    >
      {FAMILIES.map(({ title, tools }) => (
        <fieldset key={title} className="agent-set agent-tools">
          <legend className="small dim">{title}</legend>
          {tools.filter(isShown).map(({ name, words }) => (
            <ToolCheck
              key={name}
              name={name}
              words={words}
              isTicked={ticked.includes(name)}
              state={stateOf(name, ticked.includes(name), report)}
              toggle={() => toggle(name)}
            />
          ))}
        </fieldset>
      ))}
      {strangers.map((name) => (
        <ToolCheck
          key={textOfValue(name)}
          name={textOfValue(name)}
          words="No name of the allowlist"
          isTicked
          state={{ words: "", tone: "dim" }}
          toggle={() => toggle(name)}
        />
      ))}
    </Choice>
  );
}

interface ToolState {
  readonly words: string;
  readonly tone: "dim" | "warn";
}

interface ToolCheckProps {
  readonly name: string;
  readonly words: string;
  readonly isTicked: boolean;
  readonly state: ToolState;
  readonly toggle: () => void;
}

function ToolCheck({ name, words, isTicked, state, toggle }: ToolCheckProps) {
  return (
    <label className="agent-tool">
      <input type="checkbox" checked={isTicked} onChange={toggle} />
      <span className="mono">{name}</span>
      <span>{words}</span>
      <span className={`small agent-tool-state ${state.tone}`}>{state.words}</span>
    </label>
  );
}

/** What becomes of a name: its tools' names where they are offered, else why they are not. */
function stateOf(name: AllowlistName, isTicked: boolean, report: AgentReport | undefined): ToolState {
  if (!report) return { words: "", tone: "dim" };
  const tools = report.offered.filter(({ allowlistName }) => allowlistName === name).map((tool) => tool.name);
  if (tools.length > 0 && isTicked)
    return { words: tools.length > 3 ? `${tools.length} tools` : tools.join(", "), tone: "dim" };
  if (tools.length > 0) return { words: `${tools.join(", ")}: offered all the same`, tone: "warn" };
  const reason = report.refused.find(({ allowlistName }) => allowlistName === name)?.reason ?? "";
  return { words: isTicked ? reason : "", tone: "warn" };
}

/** Whether ticking it would offer something. */
function canBeListed(name: AllowlistName, report: AgentReport | undefined): boolean {
  return name === "task" && report?.binding === "virtual";
}
