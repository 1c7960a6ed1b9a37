import { useRef, useState } from "react";
import type { JsonObject, JsonValue } from "../../base";
import { Button } from "../widgets/Button";
import { focusOnMount } from "./focusOnMount";
import { useKeyDown } from "./useKeyDown";

export interface InputEditorProps {
  readonly toolName: string;
  readonly input: JsonObject;
  readonly onApprove: (input: JsonObject) => void;
  readonly onCancel: () => void;
}

/** The arguments of a call, one field each: texts as they are, everything else as JSON. */
export function InputEditor({ toolName, input, onApprove, onCancel }: InputEditorProps) {
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, fieldText(value)])),
  );
  const [problem, setProblem] = useState<string>();
  // What is worth changing is the longest text: the contents rather than the path.
  const lengths = Object.values(texts).map((text) => text.length);
  const [focused] = useState(() => lengths.indexOf(Math.max(...lengths)));
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
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
            />
          ) : (
            <input
              className="mono"
              value={text}
              {...(index === focused ? { ref: focusOnMount } : {})}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
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
