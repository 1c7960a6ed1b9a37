import { useEffect, useMemo, useRef, useState, type FormEvent } from "react";
import { useStore } from "zustand";
import {
  inputFromJson,
  inputFromTexts,
  missingTexts,
  textsFromInput,
  tryFields,
  type OfferedRow,
  type ToolsPanel,
  type TryDraft,
} from "../../store";
import { useKeyDown } from "../session/useKeyDown";
import { Button } from "../widgets/Button";
import { Progress } from "../widgets/Progress";
import { TryFields } from "./TryFields";
import { TryResult } from "./TryResult";

export interface TryToolProps {
  readonly tool: OfferedRow;
  readonly tries: ToolsPanel["tries"];
}

const NOTHING: TryDraft = { texts: {}, dryRun: false };

/** Calls a tool by hand, with a form made from its schema or its arguments as JSON. */
export function TryTool({ tool, tries }: TryToolProps) {
  const { toolName, inputSchema, effect } = tool;
  const fields = useMemo(() => tryFields(inputSchema), [inputSchema]);
  const draft = useStore(tries, (state) => state.drafts[toolName]) ?? NOTHING;
  const call = useStore(tries, (state) => state.calls[toolName]);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const isRunning = call?.isRunning ?? false;
  const { run, stop, clear, setDraft } = tries.getState();
  const change = (patch: Partial<TryDraft>) => setDraft(toolName, { ...draft, ...patch });
  const formFields = draft.json === undefined ? fields : undefined;
  const written = () => (formFields ? inputFromTexts(formFields, draft.texts) : inputFromJson(draft.json ?? ""));

  const submit = () => {
    if (isRunning) return;
    const read = written();
    const refused = { ...missingTexts(formFields ?? [], draft.texts), ...("problems" in read && read.problems) };
    setProblems(refused);
    if (!("input" in read) || Object.keys(refused).length > 0) return clear(toolName);
    void run(toolName, read.input, { dryRun: effect === "write" && draft.dryRun });
  };
  const asJson = () => {
    const read = written();
    const { json: _none, ...rest } = draft;
    if ("problems" in read) return setProblems(read.problems);
    setProblems({});
    if (draft.json === undefined) return change({ json: JSON.stringify(read.input, undefined, 2) });
    const texts = textsFromInput(fields ?? [], read.input);
    if (texts === undefined) return setProblems({ "": "The form has no field for all of this: it stays as JSON." });
    return setDraft(toolName, { ...rest, texts });
  };
  useFormKeys(form, { isRunning, submit, stop: () => stop(toolName) });
  useFocusProblem(form, problems);

  return (
    <form
      ref={form}
      className="try-form"
      aria-label={`Try ${toolName}`}
      data-takes-enter
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      {formFields === undefined ? (
        <JsonInput json={draft.json ?? ""} problem={problems[""]} onChange={(json) => change({ json })} />
      ) : (
        <TryFields
          fields={formFields}
          texts={draft.texts}
          problems={problems}
          onChange={(name, text) => change({ texts: { ...draft.texts, [name]: text } })}
        />
      )}
      <div className="try-actions">
        <Button type="submit" variant="primary" size="small" keys="mod+Enter" aria-disabled={isRunning}>
          {`Call ${tool.mcp?.tool ?? toolName}`}
        </Button>
        {isRunning ? (
          <Button size="small" keys="Esc" onClick={() => stop(toolName)}>
            Stop
          </Button>
        ) : null}
        {effect === "write" ? (
          <label
            className="checkbox small"
            title="Nothing is written: a stand-in answers, as in a dry run of the agent."
          >
            <input
              type="checkbox"
              checked={draft.dryRun}
              onChange={(event) => change({ dryRun: event.target.checked })}
            />
            dry run
          </label>
        ) : null}
        {fields === undefined ? null : (
          <button type="button" className="link-button muted small push-right" onClick={asJson}>
            {draft.json === undefined ? "as JSON ›" : "as a form ›"}
          </button>
        )}
      </div>
      {isRunning ? (
        <Progress
          label={`Calling ${tool.mcp?.tool ?? toolName}`}
          {...(call?.progress === undefined ? {} : { detail: call.progress.words })}
          {...(call?.progress?.share === undefined ? {} : { share: call.progress.share })}
        />
      ) : null}
      {call?.problem === undefined ? null : (
        <p className="try-problem bad small" role="alert">
          {call.problem}
        </p>
      )}
      {call?.outcome === undefined ? null : (
        <TryResult
          toolName={toolName}
          outcome={call.outcome}
          isOld={isRunning}
          undo={() => void tries.getState().undo(toolName)}
        />
      )}
    </form>
  );
}

interface FormKeys {
  readonly isRunning: boolean;
  readonly submit: () => void;
  readonly stop: () => void;
}

/** mod+Enter calls; Esc stops the call, else goes back to the tool's row. */
function useFormKeys(form: React.RefObject<HTMLFormElement | null>, { isRunning, submit, stop }: FormKeys): void {
  useKeyDown(form, (event) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      event.stopPropagation();
      submit();
    }
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (isRunning) stop();
      else form.current?.closest("li")?.querySelector<HTMLElement>("[data-row]")?.focus();
    }
  });
}

/** A person is led to the first field that cannot be read. */
function useFocusProblem(
  form: React.RefObject<HTMLFormElement | null>,
  problems: Readonly<Record<string, string>>,
): void {
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [form, problems]);
}

interface JsonInputProps {
  readonly json: string;
  readonly problem: string | undefined;
  readonly onChange: (json: string) => void;
}

function JsonInput({ json, problem, onChange }: JsonInputProps) {
  return (
    <label className="try-json">
      <span className="small dim">Arguments, one JSON object</span>
      <textarea
        className="input mono"
        rows={4}
        spellCheck={false}
        placeholder="{}"
        value={json}
        aria-invalid={problem !== undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem === undefined ? null : (
        <span className="bad small" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}
