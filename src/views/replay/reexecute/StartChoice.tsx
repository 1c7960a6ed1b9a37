import { useId } from "react";
import type { ReexecutionChoice, ReexecutionPlan, StartOption } from "../../../store";
import type { InferredFile } from "../../../trajectory";
import { countText } from "../../widgets/byteText";
import { Tag } from "../../widgets/Tag";
import { startWords } from "./startWords";

export interface StartChoiceProps {
  readonly plan: ReexecutionPlan;
  readonly choice: ReexecutionChoice;
  readonly onChange: (patch: Partial<ReexecutionChoice>) => void;
}

/** Which tree the calls run on; what is not to be had says why. */
export function StartChoice({ plan, choice, onChange }: StartChoiceProps) {
  const inferred = plan.starts.find(({ kind }) => kind === "inferred")?.inferred ?? [];
  return (
    <fieldset className="reexecute-choice">
      <legend>Starting tree</legend>
      {plan.starts.map((start) => (
        <label key={start.kind} className="checkbox">
          <input
            type="radio"
            name="start"
            checked={choice.start === start.kind}
            disabled={start.unavailable !== undefined}
            onChange={() => onChange({ start: start.kind })}
          />
          <span>
            {startWords[start.kind].label}
            <span className="reexecute-about dim small">{aboutStart(start)}</span>
          </span>
        </label>
      ))}
      {choice.start === "mounts" && plan.foreign?.root !== undefined ? (
        <RootChoice root={plan.foreign.root} mounts={plan.mounts} choice={choice} onChange={onChange} />
      ) : null}
      {choice.start === "inferred" && inferred.length > 0 ? <InferredFiles files={inferred} /> : null}
    </fieldset>
  );
}

function aboutStart({ kind, fileCount, unavailable }: StartOption): string {
  return unavailable ?? `${countText(fileCount, "file")}. ${startWords[kind].about}`;
}

interface RootChoiceProps {
  readonly root: string;
  readonly mounts: readonly string[];
  readonly choice: ReexecutionChoice;
  readonly onChange: (patch: Partial<ReexecutionChoice>) => void;
}

function RootChoice({ root, mounts, choice, onChange }: RootChoiceProps) {
  const id = useId();
  return (
    <div className="reexecute-root">
      <label htmlFor={id}>
        {root === "/" ? "The recording’s own directory" : <span className="mono">{root}</span>}
        {root === "/" ? " is here" : " of the recording is here"}
      </label>
      <select
        id={id}
        className="input"
        value={choice.root ?? ""}
        onChange={({ target }) => onChange({ root: target.value })}
      >
        <option value="">at the same path</option>
        {mounts.map((prefix) => (
          <option key={prefix} value={prefix}>
            {prefix}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Files shown before the rest of them is counted. */
const SHOWN_FILES = 200;

/** What is known of each file of an inferred tree. */
export function InferredFiles({ files }: { readonly files: readonly InferredFile[] }) {
  return (
    <details className="reexecute-inferred">
      <summary>{`${countText(files.length, "file")}, each marked inferred`}</summary>
      <ul>
        {files.slice(0, SHOWN_FILES).map((file) => (
          <li key={file.path}>
            <Tag tone="warn">inferred</Tag> <span className="mono">{file.path}</span>{" "}
            <span className="dim small">{knownText(file)}</span>
          </li>
        ))}
      </ul>
      {files.length > SHOWN_FILES ? (
        <p className="dim small">{`and ${countText(files.length - SHOWN_FILES, "further file")}`}</p>
      ) : null}
    </details>
  );
}

function knownText({ evidence, ranges = [] }: InferredFile): string {
  if (evidence === "whole") return "all of it";
  if (evidence === "fragments") return "pieces whose place is unknown";
  const words = ranges.slice(0, 5).map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
  return `lines ${words.join(", ")}${ranges.length > 5 ? ", …" : ""}`;
}
