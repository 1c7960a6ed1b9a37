import { lazy, memo, Suspense, useEffect, useRef, type ReactNode } from "react";
import type { CallItem } from "../../session";
import { callLook, callName, sessionCallSummary, type CallSummary } from "../../store";
import { CallAbout, CallMounts, CallMountWords } from "./CallParts";
import { durationText } from "./durationText";
import type { RowFocus } from "./RowList";
import { useForeignLook } from "./sessionLookContext";
import { useSessionLook } from "./useSessionState";

const ApprovalCard = lazy(async () => ({ default: (await import("./ApprovalCard")).ApprovalCard }));
const CallDetails = lazy(async () => ({ default: (await import("./CallDetails")).CallDetails }));

export interface CallRowProps {
  readonly item: CallItem;
  readonly within: boolean;
  readonly focus: RowFocus;
  /** Said at the right end, e.g. how the call stands to another run's. */
  readonly note?: ReactNode;
  /** Framed, where runs part. */
  readonly marked?: boolean;
}

/** A tool call: one line, or the card that asks about it, and what it did when opened. */
export const CallRow = memo(function CallRow(props: CallRowProps) {
  const { item, within, focus, note, marked = false } = props;
  const open = useSessionLook((state) => state.openIds.has(item.id));
  const toggle = useSessionLook((state) => state.toggle);
  const summary = sessionCallSummary(item);
  const onlyLooks = useForeignLook() !== undefined;
  const head = useFocusAfterAnswer(item.state === "approval");
  return (
    <div className={within ? "call-slot within" : "call-slot"}>
      {item.state === "approval" && !onlyLooks ? (
        <Suspense fallback={<p className="approval">{`${callName(item)} waits for you…`}</p>}>
          <ApprovalCard item={item} summary={summary} focus={focus} />
        </Suspense>
      ) : (
        <div className={`call ${isUnderWay(item) ? "call-running" : ""} ${marked ? "call-marked" : ""}`}>
          <button
            ref={head}
            type="button"
            className="call-head"
            aria-expanded={open}
            onClick={() => toggle(item.id)}
            {...focus}
          >
            <CallSign item={item} />
            <span className="call-name">{callName(item)}</span>
            <CallAbout summary={summary} />
            <CallMountWords item={item} summary={summary} />
            <CallSide item={item} summary={summary} />
            {note}
          </button>
          {open ? (
            <Suspense fallback={<p className="call-details call-section dim">…</p>}>
              <CallDetails item={item} />
            </Suspense>
          ) : null}
        </div>
      )}
    </div>
  );
});

/** The card is gone once it is answered: its row takes over the focus it had. */
function useFocusAfterAnswer(asks: boolean) {
  const head = useRef<HTMLButtonElement>(null);
  const asked = useRef(asks);
  useEffect(() => {
    if (asked.current && !asks && document.activeElement === document.body) head.current?.focus();
    asked.current = asks;
  }, [asks]);
  return head;
}

function isUnderWay({ state }: CallItem): boolean {
  return state === "running" || state === "requested" || state === "writing";
}

function CallSign({ item }: { readonly item: CallItem }) {
  const { sign, word, tone } = callLook(item);
  return (
    <span className={`call-sign ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{word}</span>
    </span>
  );
}

function CallSide({ item, summary }: { readonly item: CallItem; readonly summary: CallSummary }) {
  // A call that did not run, and one a dry run stood in for, took no time that anyone could know.
  const ran = item.state === "failed" || (item.state === "completed" && item.stub !== true);
  const figures = [summary.figure, ran ? durationText(item.durationMs) : undefined];
  return (
    <span className="call-side">
      <CallMounts item={item} summary={summary} />
      {summary.linesAdded === undefined ? null : <span className="lines-added">{`+${summary.linesAdded}`}</span>}
      {!summary.linesRemoved ? null : <span className="lines-removed">{`−${summary.linesRemoved}`}</span>}
      {summary.failure ? (
        <span className="bad">{summary.failure}</span>
      ) : (
        <span>{figures.filter(Boolean).join(" · ")}</span>
      )}
    </span>
  );
}
