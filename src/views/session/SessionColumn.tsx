import { lazy, Suspense, useEffect } from "react";
import { useWorkbench } from "../workbenchContext";
import { MessageBox } from "./MessageBox";
import { Announcement } from "./Announcement";
import { ModelSawDialog } from "./ModelSawDialog";
import { SessionHeader } from "./SessionHeader";
import { SessionViews } from "./SessionViews";
import { SummaryLine } from "./SummaryLine";
import { useSessionFiles } from "./useSessionFiles";
import { useSessionState } from "./useSessionState";
import { useStopKey } from "./useStopKey";
import "./session.css";

const ImportStrip = lazy(async () => ({ default: (await import("./ImportStrip")).ImportStrip }));
const ForkNote = lazy(async () => ({ default: (await import("../replay/fork/ForkNote")).ForkNote }));

/** Milliseconds a notice about what happened in a hidden tab stays. */
const AWAY_NOTICE_MS = 20_000;

/** The right column: one session, seen as a chat, a trace or its raw log, and the box that goes on with it. */
export function SessionColumn() {
  const sessionId = useSessionState((state) => state.currentId);
  const isImporting = useSessionState((state) => state.imports.length > 0);
  const { dropping, handlers } = useSessionFiles();
  const { session } = useWorkbench();
  useStopKey(
    () => session.getState().runner === "this-tab" || session.getState().session.status === "input",
    () => session.getState().stop(),
  );
  useEndWhileAway();
  return (
    <div className="session" {...handlers}>
      <SessionHeader />
      <ForkOrigin />
      {isImporting ? (
        <Suspense>
          <ImportStrip />
        </Suspense>
      ) : null}
      <div className="session-body">
        <SessionBody key={sessionId ?? "new"} />
      </div>
      <SummaryLine />
      <MessageBox />
      <ModelSawDialog />
      <RunAnnouncement />
      {dropping ? <div className="session-drop">Drop to import the session</div> : null}
    </div>
  );
}

/** Of a forked session: where it comes from. */
function ForkOrigin() {
  const fork = useSessionState((state) => state.session.started?.playground?.fork);
  return fork === undefined ? null : (
    <Suspense fallback={null}>
      <ForkNote fork={fork} />
    </Suspense>
  );
}

function SessionBody() {
  const view = useSessionState((state) => state.view);
  const loading = useSessionState((state) => state.loading);
  const empty = useSessionState((state) => state.session.itemIds.length === 0);
  if (loading !== undefined && empty) return <p className="chat-notice">Reading the session…</p>;
  return <SessionViews view={view} empty={<EmptyChat />} />;
}

function EmptyChat() {
  return (
    <div className="session-empty">
      <p>Say what should be done with the files at the left. Every step, call and change shows up here.</p>
      <button
        type="button"
        className="button button-plain button-small"
        onClick={() => document.querySelector<HTMLElement>("#message-box")?.focus()}
      >
        Write a message
      </button>
    </div>
  );
}

/** How the run goes, for those who do not see it. */
function RunAnnouncement() {
  const words = useSessionState((state) => {
    if (state.runner === "another-tab") return "Another tab runs this session.";
    if (state.session.status === "input") return "The agent waits for your answer.";
    if (state.runner === "this-tab") return "The agent is running.";
    const last = state.session.turns.last;
    if (last?.status === "completed") return "The agent is done.";
    return last?.status === "failed" ? `The run ended: ${last.message ?? last.code ?? "failed"}.` : "";
  });
  return <Announcement words={words} />;
}

/** A run that ends in a tab nobody looks at is told once the person is back, and by the tab's title until then. */
function useEndWhileAway() {
  const { session, notices } = useWorkbench();
  useEffect(() => {
    let wasRunning = session.getState().runner === "this-tab";
    const stopWatching = session.subscribe(({ runner, session: shown }) => {
      const isRunning = runner === "this-tab";
      const ended = wasRunning && !isRunning;
      wasRunning = isRunning;
      if (!ended || document.visibilityState !== "hidden") return;
      const words = shown.status === "input" ? "The agent waits for your answer" : "The run has ended";
      notices
        .getState()
        .push({ tone: "info", text: `${words}. It came while this tab was hidden.`, timeoutMs: AWAY_NOTICE_MS });
      const title = document.title;
      document.title = `● ${title}`;
      document.addEventListener("visibilitychange", () => (document.title = title), { once: true });
    });
    return stopWatching;
  }, [session, notices]);
}
