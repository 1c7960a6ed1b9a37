import { startWords } from "../reexecute/startWords";
import type { EditChoiceProps } from "./forkDraft";

/** Who answers in the new session, and on which files. */
export function GoOnChoice({ plan, draft, onChange }: EditChoiceProps) {
  return (
    <div className="fork-columns">
      <fieldset className="fork-choice">
        <legend>Who answers</legend>
        <label className="checkbox">
          <input
            type="radio"
            name="goes-on"
            checked={draft.goesOn === "live"}
            onChange={() => onChange({ goesOn: "live" })}
          />
          <span>
            The project’s model
            <span className="fork-about dim small">
              {plan.modelName === "" ? "None is named yet." : plan.modelName}
            </span>
          </span>
        </label>
        <label className="checkbox">
          <input
            type="radio"
            name="goes-on"
            checked={draft.goesOn === "recording"}
            disabled={plan.noRecording !== undefined}
            onChange={() => onChange({ goesOn: "recording" })}
          />
          <span>
            The recording, then the model
            <span className="fork-about dim small">
              {plan.noRecording ??
                "It answers as long as every request is the recorded one; the model from the first other request on."}
            </span>
          </span>
        </label>
      </fieldset>
      <fieldset className="fork-choice">
        <legend>Files, as a copy</legend>
        {plan.starts.map(({ kind, unavailable }) => (
          <label key={kind} className="checkbox">
            <input
              type="radio"
              name="files"
              checked={draft.files === kind}
              disabled={unavailable !== undefined}
              onChange={() => onChange({ files: kind })}
            />
            <span>
              {startWords[kind].label}
              <span className="fork-about dim small">{unavailable ?? aboutFiles[kind]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

const aboutFiles = {
  snapshot: "As they were at this point.",
  mounts: "As they are now, with what the session had changed by then.",
  inferred: "What the recording shows of them at this point; lines nobody saw are stand-ins.",
} as const;
