import { useRef, useState } from "react";
import type { JsonObject } from "../../base";
import type { CallItem } from "../../session";
import type { CallSummary, FileDifference } from "../../store";
import { Button } from "../widgets/Button";
import { DiffLines } from "../widgets/DiffLines";
import { CallAbout, CallMounts } from "./CallParts";
import { focusOnMount } from "./focusOnMount";
import { InputEditor } from "./InputEditor";
import type { RowFocus } from "./RowList";
import { useKeyDown } from "./useKeyDown";
import { useLoaded } from "./useLoaded";
import { useSessionState } from "./useSessionState";

export interface ApprovalCardProps {
  readonly item: CallItem;
  readonly summary: CallSummary;
  readonly focus: RowFocus;
}

type Mode = "asking" | "editing" | "denying" | "answered";

/** A call that waits for a person, with the difference it would make. */
export function ApprovalCard({ item, summary, focus }: ApprovalCardProps) {
  const answer = useSessionState((state) => state.answer);
  const elsewhere = useSessionState((state) => state.runner === "another-tab");
  const [mode, setMode] = useState<Mode>("asking");
  const card = useRef<HTMLElement>(null);
  const send = (given: Parameters<typeof answer>[1]) => {
    setMode("answered");
    void answer(item.id, given).catch(() => setMode("asking"));
  };
  useKeyDown(card, (event) => {
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (typing || mode !== "asking" || elsewhere || event.metaKey || event.ctrlKey || event.altKey) return;
    const act = { a: () => send({ kind: "approve" }), e: () => setMode("editing"), d: () => setMode("denying") }[
      event.key
    ];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  const cancel = () => {
    setMode("asking");
    card.current?.focus();
  };
  return (
    <section
      ref={card}
      className="approval"
      data-goes-on=""
      aria-label={`${item.toolName} ${summary.about} waits for you`}
      {...focus}
    >
      <ApprovalHead item={item} summary={summary} mode={mode} />
      {mode === "editing" ? (
        <InputEditor
          toolName={item.toolName}
          input={item.input ?? {}}
          onApprove={(input: JsonObject) => send({ kind: "approve", input })}
          onCancel={cancel}
        />
      ) : (
        <ApprovalDifference item={item} />
      )}
      {mode === "denying" ? <DenyForm onDeny={(words) => send({ kind: "deny", words })} onCancel={cancel} /> : null}
      {mode === "asking" && !elsewhere ? (
        <div className="approval-actions">
          <Button variant="primary" keys="A" onClick={() => send({ kind: "approve" })}>
            Approve
          </Button>
          <Button keys="E" onClick={() => setMode("editing")}>
            Edit
          </Button>
          <Button keys="D" onClick={() => setMode("denying")}>
            Deny
          </Button>
          <span className="approval-always">
            or{" "}
            <button
              type="button"
              className="link-button"
              style={{ textDecoration: "underline" }}
              onClick={() => send({ kind: "always" })}
            >
              {`always allow ${item.toolName} in this session`}
            </button>
          </span>
        </div>
      ) : null}
      {elsewhere ? <p className="small muted">Another tab runs this session: answer there.</p> : null}
    </section>
  );
}

function ApprovalHead({
  item,
  summary,
  mode,
}: {
  readonly item: CallItem;
  readonly summary: CallSummary;
  readonly mode: Mode;
}) {
  const difference = useApprovalDifference(item);
  return (
    <div className="approval-head">
      <span className="call-name">{item.toolName}</span>
      <CallAbout summary={summary} />
      {difference === undefined ? null : <span className="call-where truncate">{differenceWords(difference)}</span>}
      <span className="call-side">
        <CallMounts item={item} summary={summary} />
        {mode === "answered" ? "answered" : "waiting for you"}
      </span>
    </div>
  );
}

function ApprovalDifference({ item }: { readonly item: CallItem }) {
  const difference = useApprovalDifference(item);
  if (difference === undefined) return <InputText input={item.input ?? {}} />;
  if (difference.reason !== undefined) return <p className="small muted">{difference.reason}</p>;
  return <DiffLines lines={difference.lines} context={3} />;
}

function useApprovalDifference(item: CallItem): FileDifference | undefined {
  const approvalDifference = useSessionState((state) => state.approvalDifference);
  const loaded = useLoaded(item.id, () => approvalDifference(item.id));
  return loaded.state === "loaded" ? loaded.value : undefined;
}

function InputText({ input }: { readonly input: JsonObject }) {
  return <pre className="call-text wrap">{JSON.stringify(input, undefined, 2)}</pre>;
}

function differenceWords(difference: FileDifference): string {
  const lines = (count: number) => `${count} ${count === 1 ? "line" : "lines"}`;
  if (difference.reason !== undefined) return "";
  if (difference.kind === "added") return `new file, ${lines(difference.linesAdded)}`;
  if (difference.kind === "deleted") return `deletes ${lines(difference.linesRemoved)}`;
  if (difference.linesAdded + difference.linesRemoved === 0) return "changes nothing";
  return `+${difference.linesAdded} −${difference.linesRemoved}`;
}

function DenyForm({ onDeny, onCancel }: { readonly onDeny: (words: string) => void; readonly onCancel: () => void }) {
  const [words, setWords] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useKeyDown(form, (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onCancel();
  });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(words.trim());
      }}
    >
      <input
        aria-label="Why, told to the model"
        placeholder="Why? The model is told. (may be empty)"
        value={words}
        ref={focusOnMount}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="approval-actions">
        <Button type="submit" variant="danger">
          Deny
        </Button>
        <Button onClick={onCancel}>Back</Button>
      </div>
    </form>
  );
}
