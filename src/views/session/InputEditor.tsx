import { useRef, useState } from "react";
import type { JsonObject, JsonValue } from "../../base";
import { Button } from "../widgets/Button";
import { approvalDrafts } from "./approvalDrafts";
import { focusOnMount } from "./focusOnMount";
import { useKeyDown } from "./useKeyDown";

export interface InputEditorProps {
  readonly toolName: string;
  readonly input: JsonObject;
  /** What is changed here is kept under this name until the call is answered. */
  readonly draftKey: string;
  readonly onApprove: (input: JsonObject) => void;
  readonly onCancel: () => void;
}

/** The arguments of a call, one field each: texts as they are, everything else as JSON. */
export function InputEditor({ toolName, input, draftKey, onApprove, onCancel }: InputEditorProps) {
  const [draft] = useState(() => approvalDrafts.get(draftKey));
  const [texts, setTexts] = useState(
    () => draft ?? Object.fromEntries(Object.entries(input).map(([name, value]) => [name, fieldText(value)])),
  );
  const change = (name: string, text: string) => {
    const next = { ...texts, [name]: text };
    setTexts(next);
    approvalDrafts.keep(draftKey, next);
  };
  const [problem, setProblem] = useState<string>();
  // What is worth changing is the longest text: the contents rather than the path.
  const lengths = Object.values(texts).map((text) => text.length);
  const [longest] = useState(() => lengths.indexOf(Math.max(...lengths)));
  // One that is found again after a reload takes the focus from nobody.
  const focused = draft === undefined ? longest : -1;
  const approve = () => {
    const changed: { [name: string]: JsonValue } = {};
    for (const [name, text] of Object.entries(texts)) {
      try {
        changed[name] = typeof input[name] === "string" ? text : (JSON.parse(text) as JsonValue);
      } catch {
        setProblem(`${name} must be JSON, such as 3, true or ["a"].`);
        return;
      }
    }
    onApprove(changed);
  };
  const form = useRef<HTMLFormElement>(null);
  useKeyDown(form, (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      event.stopPropagation();
      approve();
    }
  });
  return (
    <form
      ref={form}
      data-takes-enter
      onSubmit={(event) => {
        event.preventDefault();
        approve();
      }}
    >
      {Object.entries(texts).map(([name, text], index) => (
        <label key={name} className="small muted">
          {name}
          {text.includes("\n") || text.length > 60 ? (
            <textarea
              value={text}
              {...(index === focused ? { ref: focusOnMount } : {})}
              onChange={(event) => change(name, event.target.value)}
            />
          ) : (
            <input
              className="mono"
              value={text}
              {...(index === focused ? { ref: focusOnMount } : {})}
              onChange={(event) => change(name, event.target.value)}
            />
          )}
        </label>
      ))}
      {problem === undefined ? null : (
        <p className="approval-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="approval-actions">
        <Button type="submit" variant="primary" keys="mod+Enter">
          {`Approve this ${toolName}`}
        </Button>
        <Button onClick={onCancel}>Back</Button>
      </div>
    </form>
  );
}

function fieldText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
