import { useState } from "react";
import { useStore } from "zustand";
import { DEMO_MODEL_NAME, type ModelReadiness, type ModelState } from "../../store";
import type { ModelSettings } from "../../model";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { Popover } from "../widgets/Popover";
import "./session.css";

type ServerSettings = Extract<ModelSettings, { kind: "openai-compatible" }>;

const EMPTY_SERVER: ServerSettings = { kind: "openai-compatible", baseUrl: "http://localhost:11434/v1", modelId: "" };
const DOTS: { readonly [State in ModelReadiness]: { className: string; word: string } } = {
  ready: { className: "good", word: "ready" },
  untested: { className: "unknown", word: "not tested" },
  failed: { className: "bad", word: "does not answer" },
};

function useModelState<Value>(selector: (state: ModelState) => Value): Value {
  return useStore(useWorkbench().model, selector);
}

/** Which model answers: the rules that come with the page, or a server of the person's own. */
export function ModelMenu() {
  const settings = useStore(useWorkbench().project, (state) => state.model);
  const readiness = useModelState((state) => state.readiness);
  const choose = useModelState((state) => state.choose);
  const [open, setOpen] = useState(false);
  const [server, setServer] = useState<ServerSettings>(settings.kind === "openai-compatible" ? settings : EMPTY_SERVER);
  const dot = DOTS[readiness];
  const name = settings.kind === "demo" ? DEMO_MODEL_NAME : settings.modelId || "no model named";
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Model"
      align="end"
      trigger={
        <button type="button" className="model-trigger" title={`${name}: ${dot.word}`}>
          <span className={`state-dot ${dot.className}`} aria-hidden="true" />
          <span className="truncate">{name}</span>
          <span className="visually-hidden">{dot.word}</span>
          <span aria-hidden="true">▾</span>
        </button>
      }
    >
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
    </Popover>
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
