import type { ForkTarget } from "../../../store";
import { Field } from "../../widgets/Field";
import { SegmentedControl } from "../../widgets/SegmentedControl";
import { FileEdit } from "./FileEdit";
import type { EditChoiceProps } from "./forkDraft";
import { TextEdit } from "./TextEdit";

const EDITS = [
  { value: "tool-result", label: "Tool result" },
  { value: "message", label: "Message" },
  { value: "instructions", label: "Instructions" },
  { value: "file", label: "File" },
  { value: "none", label: "Nothing" },
] as const;

/** What is otherwise in the new session. */
export function EditChoice({ plan, draft, onChange }: EditChoiceProps) {
  return (
    <>
      <div className="field">
        <span className="field-label">What is otherwise</span>
        <SegmentedControl
          label="What is otherwise"
          segments={EDITS}
          value={draft.kind}
          onChange={(kind) => onChange({ kind })}
          size="small"
        />
      </div>
      {draft.kind === "none" ? <p className="dim">The next model call is made again as it was.</p> : null}
      {draft.kind === "instructions" ? (
        <TextEdit
          label="Instructions"
          hint="They hold from the next model call on."
          value={draft.instructions}
          onChange={(instructions) => onChange({ instructions })}
        />
      ) : null}
      {draft.kind === "message" ? <MessageEdit plan={plan} draft={draft} onChange={onChange} /> : null}
      {draft.kind === "tool-result" ? <ResultEdit plan={plan} draft={draft} onChange={onChange} /> : null}
      {draft.kind === "file" ? <FileEdit plan={plan} draft={draft} onChange={onChange} /> : null}
    </>
  );
}

function MessageEdit({ plan, draft, onChange }: EditChoiceProps) {
  if (plan.messages.length === 0) return <p className="dim">Nothing had been said at this point.</p>;
  return (
    <>
      <TargetChoice
        label="Which message"
        targets={plan.messages}
        value={draft.messageAt}
        onChoose={({ eventIndex, text }) => onChange({ messageAt: eventIndex, message: text })}
      />
      <TextEdit
        label="What it says instead"
        hint="A person’s message is sent in its turn’s place; after the model’s the session goes on from there."
        value={draft.message}
        onChange={(message) => onChange({ message })}
      />
    </>
  );
}

function ResultEdit({ plan, draft, onChange }: EditChoiceProps) {
  const target = plan.results.find(({ eventIndex }) => eventIndex === draft.resultAt);
  if (target === undefined) return <p className="dim">No call had a result at this point.</p>;
  return (
    <>
      <TargetChoice
        label="Which result"
        targets={plan.results}
        value={draft.resultAt}
        onChoose={({ eventIndex, text }) => onChange({ resultAt: eventIndex, result: text })}
      />
      <TextEdit
        label="What it was instead"
        hint={`${target.isJson ? "JSON, as the tool answers. " : ""}The session goes on after that call’s step; what the call did to files stays.`}
        value={draft.result}
        onChange={(result) => onChange({ result })}
        isCode
      />
      <label className="checkbox">
        <input
          type="checkbox"
          checked={draft.failed}
          onChange={({ target: box }) => onChange({ failed: box.checked })}
        />
        <span>The call failed, with this as its message</span>
      </label>
    </>
  );
}

interface TargetChoiceProps {
  readonly label: string;
  readonly targets: readonly ForkTarget[];
  readonly value: number | undefined;
  readonly onChoose: (target: ForkTarget) => void;
}

function TargetChoice({ label, targets, value, onChoose }: TargetChoiceProps) {
  return (
    <Field label={label}>
      {(ties) => (
        <select
          {...ties}
          className="input"
          value={String(value ?? "")}
          onChange={({ target }) => {
            const found = targets.find(({ eventIndex }) => String(eventIndex) === target.value);
            if (found !== undefined) onChoose(found);
          }}
        >
          {targets.map((each) => (
            <option key={each.eventIndex} value={String(each.eventIndex)}>
              {`event ${each.eventIndex + 1} · ${each.label}`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
