import { lazy, Suspense, useCallback, useRef, useState, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { AGENT_ID } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { keyText } from "../widgets/Kbd";
import { AttachButton } from "./AttachButton";
import { useAttachments, withPaths } from "./useAttachments";
import { FixedTag } from "./FixedTag";
import { StepLimit } from "./StepLimit";
import { useSessionState } from "./useSessionState";

const AsOfTag = lazy(async () => ({ default: (await import("./AsOfTag")).AsOfTag }));

/** Milliseconds of quiet after which what stands in the box is kept with the project. */
const KEEP_DRAFT_MS = 300;

/**
 * Where a person writes. What is typed lives in the box alone and is handed to the project a moment later, so that
 * typing waits for nothing.
 */
export function MessageBox() {
  const send = useSessionState((state) => state.send);
  const running = useSessionState((state) => state.runner === "this-tab");
  const elsewhere = useSessionState((state) => state.runner === "another-tab");
  const isDeleted = useStore(useWorkbench().project, (state) => state.trouble?.kind === "deleted");
  const waits = useSessionState((state) => state.session.status === "input");
  const stops = running || waits;
  const [draft, setDraft] = useDraft();
  const box = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments((paths) => {
    setDraft(withPaths(box.current?.value ?? "", paths));
    box.current?.focus();
  });
  const empty = draft.trim() === "";
  const run = () => {
    if (empty || elsewhere || isDeleted) return;
    setDraft("");
    void send(draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    if (!event.metaKey && !event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    <div className="message-box" data-dropping={attachments.dropping} {...attachments.handlers}>
      <textarea
        ref={box}
        id="message-box"
        aria-label="Message the agent"
        placeholder={
          isDeleted
            ? "This project was deleted in another tab: nothing runs here any more."
            : elsewhere
              ? "Another tab runs this session. Watch it here, or begin a new one."
              : running
                ? `Follow up: ${keyText("mod+Enter")} interrupts the run…`
                : waits
                  ? `Follow up: ${keyText("mod+Enter")} ends the turn that waits for you…`
                  : `Message the agent… ${keyText("mod+Enter")} runs it`
        }
        rows={2}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <AgentNotSaved />
      <div className="message-tools">
        <DryRunTag />
        <Suspense>
          <AsOfTag />
        </Suspense>
        <StepLimit />
        <AttachButton onFiles={(files) => void attachments.take(files)} />
        <span className="push-right" style={{ display: "inline-flex", gap: 6 }}>
          {stops ? <StopButton /> : null}
          {!stops || !empty ? (
            <Button
              id="run-message"
              size="small"
              variant="primary"
              keys="mod+Enter"
              disabled={empty || elsewhere || isDeleted}
              onClick={run}
            >
              {stops ? "Interrupt and run" : "Run"}
            </Button>
          ) : null}
        </span>
      </div>
    </div>
  );
}

/** A run goes by the agent that was saved: said before sending where what stands in agent.json could not be. */
function AgentNotSaved() {
  const { editor } = useWorkbench();
  const isRefused = useStore(editor, ({ documents }) =>
    documents.some(({ id, dirty, problem }) => id === AGENT_ID && dirty && problem !== undefined),
  );
  if (!isRefused) return null;
  return (
    <p className="warn small" style={{ padding: "0 8px" }}>
      agent.json is not saved: a run goes by the agent that was saved last.
    </p>
  );
}

function StopButton() {
  const stop = useSessionState((state) => state.stop);
  const stopping = useSessionState((state) => state.stopping);
  return (
    <Button size="small" keys="Esc" disabled={stopping} onClick={stop}>
      {stopping ? "Stopping…" : "Stop"}
    </Button>
  );
}

function useDraft(): readonly [string, (draft: string) => void] {
  const { project } = useWorkbench();
  const kept = useStore(project, (state) => state.draft);
  const [draft, setDraft] = useState(kept);
  /** The project's draft as last seen here, and as last handed over from here. */
  const [seen, setSeen] = useState(kept);
  const [handed, setHanded] = useState(kept);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (kept !== seen) {
    setSeen(kept);
    // Someone else filled the box, such as a sample; what was typed here comes back as it was handed over.
    if (kept !== handed) setDraft(kept);
  }
  const change = useCallback(
    (next: string) => {
      setDraft(next);
      clearTimeout(timer.current);
      const hand = () => {
        setHanded(next);
        project.getState().setDraft(next);
      };
      if (next === "") hand();
      else timer.current = setTimeout(hand, KEEP_DRAFT_MS);
    },
    [project],
  );
  return [draft, change];
}

function DryRunTag() {
  const dryRun = useSessionState((state) => state.dryRun);
  const fixed = useSessionState((state) => state.currentId !== undefined);
  const setDryRun = useSessionState((state) => state.setDryRun);
  if (fixed) return <FixedTag pressed={dryRun}>dry run</FixedTag>;
  return (
    <button
      type="button"
      className="tag-toggle"
      aria-pressed={dryRun}
      title="Reads run; writes are answered by a stand-in and change nothing."
      onClick={() => setDryRun(!dryRun)}
    >
      dry run
    </button>
  );
}
