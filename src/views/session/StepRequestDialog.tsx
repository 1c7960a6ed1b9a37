import { useState } from "react";
import type { ChangedPart } from "../../session";
import type { StepRequest } from "../../store";
import { Dialog } from "../widgets/Dialog";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { CopyButton } from "./CopyButton";
import { LongText } from "./LongText";
import { PartRow } from "./PartRow";
import { partKey, PartsBar, partWords } from "./PartsBar";
import { useLoaded } from "./useLoaded";
import { useSessionLook } from "./useSessionState";

/** The exact request of a step: whose words it is made of, how many, and what is new since the step before. */
export function StepRequestDialog({ stepId }: { readonly stepId: string }) {
  const showRequest = useSessionLook((state) => state.showRequest);
  return (
    <Dialog open onClose={() => showRequest(undefined)} title="What the model saw" width={760}>
      <StepRequestView stepId={stepId} />
    </Dialog>
  );
}

function StepRequestView({ stepId }: { readonly stepId: string }) {
  const stepRequest = useSessionLook((state) => state.stepRequest);
  const usage = useSessionLook((state) => state.session.steps.findLast((step) => step.id === stepId)?.usage);
  const loaded = useLoaded(stepId, () => stepRequest(stepId));
  const [view, setView] = useState<"parts" | "new" | "exact">("parts");
  if (loaded.state === "loading") return <p className="dim">Reading the request…</p>;
  if (loaded.state === "failed") return <p className="bad">{loaded.message}</p>;
  const request = loaded.value;
  if (request === undefined)
    return <p className="muted">The request of this step was not kept, so what the model saw is unknown.</p>;
  return (
    <div className="saw">
      <p className="muted">
        {`${stepWords(stepId)} · ${request.modelId} · ${totalWords(request)}`}
        {usage?.inputTokens === undefined
          ? " · by the model's own count unknown"
          : ` · ${usage.inputTokens.toLocaleString("en")} tokens by the model's own count`}
      </p>
      <PartsBar parts={request.parts} />
      <div style={{ display: "flex", alignItems: "center", gap: 8, margin: "4px 0 8px" }}>
        <SegmentedControl
          label="What of the request"
          size="small"
          segments={[
            { value: "parts", label: "By owner" },
            { value: "new", label: "New since the step before" },
            { value: "exact", label: "Exact request" },
          ]}
          value={view}
          onChange={setView}
        />
        <span className="push-right">
          <CopyButton what="the exact request" text={() => request.json} />
        </span>
      </div>
      {view === "exact" ? <LongText text={request.json} /> : null}
      {view === "parts" ? <Parts request={request} /> : null}
      {view === "new" ? <NewParts request={request} /> : null}
    </div>
  );
}

function Parts({ request }: { readonly request: StepRequest }) {
  const changes = request.difference ?? request.parts.map((part): ChangedPart => ({ part, change: "same" }));
  return changes.map((changed, index) =>
    changed.change === "removed" ? null : <Part key={partKey(changed.part, index)} changed={changed} />,
  );
}

function NewParts({ request }: { readonly request: StepRequest }) {
  const { difference, comparedWith } = request;
  if (difference === undefined || comparedWith === undefined) {
    return <p className="muted">There is no step before this one to compare with: everything in it is new.</p>;
  }
  const count = (...kinds: readonly ChangedPart["change"][]) =>
    difference.filter((changed) => kinds.includes(changed.change)).length;
  return (
    <>
      <p className="muted">
        {`${count("added")} new, ${count("changed")} changed, ${count("removed")} no longer sent, ${count("same")} as in ${stepWords(comparedWith)}.`}
      </p>
      {difference.map((changed, index) =>
        changed.change === "same" ? null : <Part key={partKey(changed.part, index)} changed={changed} startsOpen />,
      )}
    </>
  );
}

const CHANGE_WORDS = {
  same: { word: "", tone: "" },
  added: { word: "new", tone: "ok" },
  changed: { word: "changed", tone: "warn" },
  removed: { word: "no longer sent", tone: "bad" },
} as const;

interface PartProps {
  readonly changed: ChangedPart;
  readonly startsOpen?: boolean;
}

function Part({ changed: { part, change }, startsOpen = false }: PartProps) {
  const { word, tone } = CHANGE_WORDS[change];
  return (
    <PartRow
      part={part}
      words={
        <>
          <b>{part.owner}</b> {part.title === part.owner ? null : <span>{part.title}</span>}{" "}
          <span className="dim">{part.text.trim().split("\n", 1)[0]?.slice(0, 120)}</span>
        </>
      }
      sign={<span className={tone}>{word}</span>}
      size={partWords(part)}
      startsOpen={startsOpen}
    />
  );
}

function totalWords(request: StepRequest): string {
  const total = request.parts.reduce((sum, part) => sum + part.approxTokens, 0);
  return `about ${total.toLocaleString("en")} tokens, counted from the text`;
}

function stepWords(stepId: string): string {
  const [turn, step] = stepId.replace("turn_", "").split("/");
  return `turn ${Number(turn) + 1}, step ${Number(step) + 1}`;
}
