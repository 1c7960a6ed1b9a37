import { useState } from "react";
import { useStore } from "zustand";
import type { ModelSettings } from "../../model";
import { DEMO_MODEL_NAME } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { useModelState } from "./useModelState";

type ServerSettings = Extract<ModelSettings, { kind: "openai-compatible" }>;

const EMPTY_SERVER: ServerSettings = { kind: "openai-compatible", baseUrl: "http://localhost:11434/v1", modelId: "" };

/** The models there are to choose from, and the form of the chosen one. */
export function ModelChoices() {
  const settings = useStore(useWorkbench().project, (state) => state.model);
  const choose = useModelState((state) => state.choose);
  const [server, setServer] = useState<ServerSettings>(settings.kind === "openai-compatible" ? settings : EMPTY_SERVER);
  return (
    <div className="model-menu scroll" role="radiogroup" aria-label="Model that answers">
      <label className="model-choice">
        <input
          type="radio"
          name="model"
          checked={settings.kind === "demo"}
          onChange={() => choose({ kind: "demo", pace: "natural" })}
        />
        <span>
          {DEMO_MODEL_NAME}
          <br />
          <span className="small dim">Part of the page. Plans by rules, no key, no network.</span>
        </span>
      </label>
      <label className="model-choice">
        <input
          type="radio"
          name="model"
          checked={settings.kind === "openai-compatible"}
          onChange={() => choose(server)}
        />
        <span>
          Local or own server
          <br />
          <span className="small dim">Anything that speaks the OpenAI way: Ollama, LM Studio, llama.cpp, vLLM.</span>
        </span>
      </label>
      {settings.kind === "openai-compatible" ? (
        <ServerForm
          settings={settings}
          onChange={(next) => {
            setServer(next);
            choose(next);
          }}
        />
      ) : null}
    </div>
  );
}

interface ServerFormProps {
  readonly settings: ServerSettings;
  readonly onChange: (settings: ServerSettings) => void;
}

function ServerForm({ settings, onChange }: ServerFormProps) {
  const modelIds = useModelState((state) => state.modelIds);
  const listProblem = useModelState((state) => state.listProblem);
  const list = useModelState((state) => state.listModels);
  const test = useModelState((state) => state.test);
  const testing = useModelState((state) => state.testing);
  const [baseUrl, setBaseUrl] = useState(settings.baseUrl);
  const keepAddress = () => {
    if (baseUrl.trim() !== settings.baseUrl) onChange({ ...settings, baseUrl: baseUrl.trim() });
  };
  return (
    <form
      className="model-form"
      onSubmit={(event) => {
        event.preventDefault();
        keepAddress();
        void test();
      }}
    >
      <label>
        Address
        <input
          className="mono"
          inputMode="url"
          spellCheck={false}
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
          onBlur={keepAddress}
        />
      </label>
      <label>
        Model
        <input
          className="mono"
          spellCheck={false}
          list="model-ids"
          value={settings.modelId}
          placeholder={modelIds?.[0] ?? "as the server names it"}
          onFocus={() => {
            if (modelIds === undefined) void list();
          }}
          onChange={(event) => onChange({ ...settings, modelId: event.target.value })}
        />
        <datalist id="model-ids">
          {(modelIds ?? []).map((id) => (
            <option key={id} value={id} label={id} aria-label={id} />
          ))}
        </datalist>
        {listProblem === undefined ? null : <span className="small warn">{listProblem}</span>}
        {modelIds !== undefined && modelIds.length > 0 ? (
          <span className="small dim">{`The server lists ${modelIds.length}.`}</span>
        ) : null}
      </label>
      <KeyField />
      <div style={{ display: "flex", gap: 8, alignItems: "center" }}>
        <Button type="submit" size="small" disabled={testing}>
          {testing ? "Testing…" : "Test connection"}
        </Button>
      </div>
      <TestSteps />
    </form>
  );
}

function KeyField() {
  const hasKey = useModelState((state) => state.hasKey);
  const setKey = useModelState((state) => state.setKey);
  const [key, setText] = useState("");
  const keep = () => {
    if (key === "") return;
    setKey(key);
    setText("");
  };
  return (
    <label>
      Key, if the server wants one
      <input
        type="password"
        autoComplete="off"
        value={key}
        placeholder={hasKey ? "a key is held" : "none"}
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") keep();
        }}
      />
      <span className="small dim">
        Held in memory for this address only, until the page is closed. Never saved, logged or exported.{" "}
        {hasKey ? (
          <button type="button" className="link-button accent" onClick={() => setKey("")}>
            Forget it
          </button>
        ) : null}
      </span>
    </label>
  );
}

function TestSteps() {
  const steps = useModelState((state) => state.steps);
  if (steps.length === 0) return null;
  return (
    <ol className="model-steps" aria-live="polite">
      {steps.map((step) => (
        <li key={step.step}>
          <span className={step.ok ? "ok" : "bad"} aria-hidden="true">
            {step.ok ? "✓" : "✕"}
          </span>
          <span>
            <b>{step.step}</b> <span className="visually-hidden">{step.ok ? "ok" : "failed"}</span> {step.detail}
          </span>
          {step.fix === undefined ? null : <pre className="fix">{step.fix}</pre>}
        </li>
      ))}
    </ol>
  );
}
