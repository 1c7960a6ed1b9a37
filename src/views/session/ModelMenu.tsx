import { lazy, Suspense, useState } from "react";
import { useStore } from "zustand";
import { DEMO_MODEL_NAME, type ModelReadiness } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Popover } from "../widgets/Popover";
import { useModelState } from "./useModelState";
import { useSessionState } from "./useSessionState";
import "./session.css";

const ModelChoices = lazy(async () => ({ default: (await import("./ModelChoices")).ModelChoices }));

const DOTS: { readonly [State in ModelReadiness]: { className: string; word: string } } = {
  ready: { className: "good", word: "ready" },
  untested: { className: "unknown", word: "not tested" },
  failed: { className: "bad", word: "does not answer" },
};

/** On a narrow screen: what it is stays whole. */
const SHORT_DEMO_NAME = "Demo (rules, not AI)";

/** Which model answers: the rules that come with the page, or a server of the person's own. */
export function ModelMenu() {
  const settings = useStore(useWorkbench().project, (state) => state.model);
  const readiness = useModelState((state) => state.readiness);
  const asked = useSessionState((state) => state.asksForModel);
  const setAsked = useSessionState((state) => state.setAsksForModel);
  const [open, setOpen] = useState(false);
  const dot = DOTS[readiness];
  const name = settings.kind === "demo" ? DEMO_MODEL_NAME : settings.modelId || "no model named";
  return (
    <Popover
      open={open || asked}
      onOpenChange={(next) => {
        setOpen(next);
        setAsked(false);
      }}
      label="Model"
      align="end"
      trigger={
        <button type="button" className="model-trigger" title={`${name}: ${dot.word}`}>
          <span className={`state-dot ${dot.className}`} aria-hidden="true" />
          {settings.kind === "demo" ? (
            <>
              <span className="truncate model-long">{name}</span>
              <span className="truncate model-short">{SHORT_DEMO_NAME}</span>
            </>
          ) : (
            <span className="truncate">{name}</span>
          )}
          <span className="visually-hidden">{dot.word}</span>
          <span aria-hidden="true">▾</span>
        </button>
      }
    >
      <Suspense fallback={<p className="model-menu dim">…</p>}>
        <ModelChoices />
      </Suspense>
    </Popover>
  );
}
