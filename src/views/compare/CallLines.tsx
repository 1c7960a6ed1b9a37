import { memo, useCallback, useMemo } from "react";
import { useStore } from "zustand";
import type { ArmSide, CompareLine } from "../../store";
import { CallRow } from "../session/CallRow";
import { AssistantRow, NoticeRow, ReasoningRow } from "../session/MessageRows";
import { ModelSawDialog } from "../session/ModelSawDialog";
import { RowList, type RowFocus } from "../session/RowList";
import { SessionLookProvider, type ForeignLook } from "../session/sessionLookContext";
import { useSessionItem } from "../session/useSessionState";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { EmptyState } from "../widgets/EmptyState";
import { useShownPair } from "./useShownPair";

const CALL_HEIGHT = 34;
const WORDS_HEIGHT = 62;

/** What both arms did, aligned: the same calls on one line, calls of one arm only beside each other. */
export function CallLines({ withWords }: { readonly withWords: boolean }) {
  const { compare } = useWorkbench();
  const all = useStore(compare, (state) => state.lines);
  const lines = useMemo(() => (withWords ? all : all.filter((line) => line.kind !== "words")), [all, withWords]);
  const looks = { a: useArmLook("a"), b: useArmLook("b") };
  const byId = useMemo(() => new Map(lines.map((line) => [line.id, line])), [lines]);
  const rowIds = useMemo(() => lines.map((line) => line.id), [lines]);
  const { a: lookA, b: lookB } = looks;
  const renderRow = useCallback(
    (rowId: string, focus: RowFocus) => {
      const line = byId.get(rowId);
      return line === undefined ? null : <Line line={line} lookA={lookA} lookB={lookB} focusable={focus.tabIndex} />;
    },
    [byId, lookA, lookB],
  );
  const estimateHeight = useCallback(
    (rowId: string) => (byId.get(rowId)?.kind === "call" ? CALL_HEIGHT : WORDS_HEIGHT),
    [byId],
  );
  return (
    <div className="compare-lines">
      {lines.length === 0 ? (
        <NothingYet />
      ) : (
        <RowList label="Calls of both arms" rowIds={rowIds} estimateHeight={estimateHeight} renderRow={renderRow} />
      )}
      <SessionLookProvider value={lookA}>
        <ModelSawDialog />
      </SessionLookProvider>
      <SessionLookProvider value={lookB}>
        <ModelSawDialog />
      </SessionLookProvider>
    </div>
  );
}

function useArmLook(side: ArmSide): ForeignLook {
  const { compare, mounts } = useWorkbench();
  const store = useStore(compare, (state) => state.looks[side]);
  const table = useStore(mounts, (state) => state.mounts);
  return useMemo(() => ({ store, mounts: table }), [store, table]);
}

function NothingYet() {
  const { compare } = useWorkbench();
  const hasRun = useStore(compare, (state) => state.record !== undefined);
  const running = useStore(compare, (state) => state.status !== "idle");
  if (running) return <p className="chat-notice">The arms are about to begin…</p>;
  return (
    <EmptyState
      text={
        hasRun
          ? "Nothing of this pair is saved."
          : "Run both instructions on the same prompt: the calls of each arm appear here side by side as they happen. Your files stay as they are."
      }
      action={<Button onClick={() => void compare.getState().run()}>Run both</Button>}
    />
  );
}

interface LineProps {
  readonly line: CompareLine;
  readonly lookA: ForeignLook;
  readonly lookB: ForeignLook;
  readonly focusable: RowFocus["tabIndex"];
}

const Line = memo(function Line({ line, lookA, lookB, focusable }: LineProps) {
  const focus = useMemo(() => ({ "data-row": line.id, tabIndex: focusable }) as const, [line.id, focusable]);
  return (
    <div className="compare-line">
      <SessionLookProvider value={lookA}>
        <Cell id={line.a} line={line} side="a" focus={focus} />
      </SessionLookProvider>
      <SessionLookProvider value={lookB}>
        <Cell id={line.b} line={line} side="b" focus={focus} />
      </SessionLookProvider>
    </div>
  );
});

interface CellProps {
  readonly id: string | undefined;
  readonly line: CompareLine;
  readonly side: ArmSide;
  readonly focus: RowFocus;
}

function Cell({ id, line, side, focus }: CellProps) {
  const item = useSessionItem(id ?? "");
  const note = useNote(line, side);
  return (
    <div className="compare-cell">
      {item?.kind === "call" ? (
        <CallRow item={item} within={false} focus={focus} note={note} marked={line.isFirstDivergence} />
      ) : null}
      {item?.kind === "assistant" ? <AssistantRow item={item} focus={focus} /> : null}
      {item?.kind === "reasoning" ? <ReasoningRow item={item} focus={focus} /> : null}
      {item?.kind === "notice" ? <NoticeRow item={item} focus={focus} /> : null}
    </div>
  );
}

/** How a call stands to the other arm. Where that arm has not come so far, nothing is said to be missing there. */
function useNote({ relation, isFirstDivergence, a }: CompareLine, side: ArmSide) {
  const other = side === "a" ? "b" : "a";
  const otherState = useShownPair()?.[other].state;
  if (relation === "same") return <span className="call-note">same</span>;
  if (relation === "open") {
    const wasCut = otherState === "stopped" || otherState === "environment";
    return <span className="call-note">{wasCut ? `${other.toUpperCase()} ended before` : ""}</span>;
  }
  const only = `only in ${side.toUpperCase()}`;
  // Said once a line: beside each other they are one divergence.
  if (isFirstDivergence && (side === "a" || a === undefined))
    return (
      <span className="call-note warn">
        first divergence<span className="call-note-more">{` · ${only}`}</span>
      </span>
    );
  return <span className={isFirstDivergence ? "call-note warn" : "call-note"}>{only}</span>;
}
