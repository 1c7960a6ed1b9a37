import { useRef, useState } from "react";
import type { JsonObject } from "../../base";
import type { CallItem } from "../../session";
import { callName, type ApprovalAnswer, type CallSummary, type FileDifference } from "../../store";
import { Button } from "../widgets/Button";
import { DiffLines } from "../widgets/DiffLines";
import { CallAbout, CallMounts } from "./CallParts";
import { approvalDrafts } from "./approvalDrafts";
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

type Mode = "asking" | "editing" | "answered";

/** A call that waits for a person, with the difference it would make. */
export function ApprovalCard({ item, summary, focus }: ApprovalCardProps) {
  const answer = useSessionState((state) => state.answer);
  const elsewhere = useSessionState((state) => state.runner === "another-tab");
  const draftKey = useSessionState((state) => `${state.currentId ?? ""}/${item.id}`);
  const [mode, setMode] = useState<Mode>(() => (approvalDrafts.get(draftKey) === undefined ? "asking" : "editing"));
  const [words, setWords] = useState("");
  const card = useRef<HTMLElement>(null);
  const send = (given: ApprovalAnswer) => {
    setMode("answered");
    approvalDrafts.drop(draftKey);
    void answer(item.id, given).catch(() => setMode("asking"));
  };
  useKeyDown(card, (event) => {
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (typing || mode !== "asking" || elsewhere || event.metaKey || event.ctrlKey || event.altKey) return;
    const act = { a: () => send({ kind: "approve" }), e: () => setMode("editing"), d: () => send(denial(words)) }[
      event.key
    ];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  const cancel = () => {
    approvalDrafts.drop(draftKey);
    setMode("asking");
    card.current?.focus();
  };
  return (
    <section
      ref={card}
      className="approval"
      data-goes-on=""
      aria-label={`${callName(item)} ${summary.about} waits for you`}
      {...focus}
    >
      <ApprovalHead item={item} summary={summary} mode={mode} />
      {mode === "editing" ? (
        <InputEditor
          toolName={callName(item)}
          input={item.input ?? {}}
          draftKey={draftKey}
          onApprove={(input: JsonObject) => send({ kind: "approve", input })}
          onCancel={cancel}
        />
      ) : (
        <ApprovalDifference item={item} />
      )}
      {mode === "asking" && !elsewhere ? (
        <ApprovalActions
          toolName={callName(item)}
          words={words}
          onWords={setWords}
          onAnswer={send}
          onEdit={() => setMode("editing")}
          onLeave={() => {
            setWords("");
            card.current?.focus();
          }}
        />
      ) : null}
      {elsewhere ? <p className="small muted">Another tab runs this session: answer there.</p> : null}
    </section>
  );
}

interface ApprovalActionsProps {
  readonly toolName: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  readonly onEdit: () => void;
  /** The field for words is left without an answer. */
  readonly onLeave: () => void;
}

function ApprovalActions({ toolName, words, onWords, onAnswer, onEdit, onLeave }: ApprovalActionsProps) {
  const deny = () => onAnswer(denial(words));
  return (
    <div className="approval-actions">
      <Button variant="primary" keys="A" onClick={() => onAnswer({ kind: "approve" })}>
        Approve
      </Button>
      <Button keys="E" onClick={onEdit}>
        Edit
      </Button>
      <Button keys="D" onClick={deny}>
        Deny
      </Button>
      <DenyWords words={words} onChange={onWords} onDeny={deny} onLeave={onLeave} />
      <span className="approval-always">
        or{" "}
        <button
          type="button"
          className="link-button"
          style={{ textDecoration: "underline" }}
          onClick={() => onAnswer({ kind: "always" })}
        >
          {`always allow ${toolName} in this session`}
        </button>
      </span>
    </div>
  );
}

function denial(words: string): ApprovalAnswer {
  return { kind: "deny", words: words.trim() };
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
      <span className="call-name">{callName(item)}</span>
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

interface DenyWordsProps {
  readonly words: string;
  readonly onChange: (words: string) => void;
  readonly onDeny: () => void;
  readonly onLeave: () => void;
}

/** What goes to the model with a denial; may stay empty. */
function DenyWords({ words, onChange, onDeny, onLeave }: DenyWordsProps) {
  return (
    <input
      className="approval-words"
      aria-label="Why not, told to the model"
      placeholder="why not? (optional)"
      value={words}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Esc leaves the field and not the turn.
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Enter") onDeny();
        else onLeave();
      }}
    />
  );
}
