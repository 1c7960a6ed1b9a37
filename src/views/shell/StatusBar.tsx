import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { DEMO_MODEL_NAME, type ProjectState } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { byteText } from "../widgets/byteText";
import { Button } from "../widgets/Button";

const HostWords = lazy(() => import("../host/HostWords").then((module) => ({ default: module.HostWords })));

const TROUBLE_WORDS = {
  cleared: "✕ Storage was cleared: export before you reload",
  deleted: "✕ Deleted in another tab",
  newer: "● Read only: a newer version wrote this project",
  damaged: "● Read only: this project is damaged",
} as const;

/** Milliseconds between two looks at how much storage is used. */
const USAGE_MS = 15_000;

export function StatusBar() {
  const { project, editor } = useWorkbench();
  const hasHost = useStore(project, (state) => state.mounts.some(({ kind }) => kind === "host"));
  const saveState = useStore(project, (state) => state.saveState);
  const unsaved = useStore(editor, (state) => state.documents.some((document) => document.dirty));
  const problem = useStore(editor, (state) =>
    state.documents.some(
      (document) => document.conflict !== undefined || (document.dirty && document.problem !== undefined),
    ),
  );
  return (
    <footer className="status-bar">
      <SaveWords saveState={saveState} unsaved={unsaved} problem={problem} />
      <StorageWords />
      <span className="push-right" />
      {hasHost ? (
        <Suspense fallback={null}>
          <HostWords />
        </Suspense>
      ) : null}
      <DemoWords />
      <RunnerWords />
      <OnlineWords />
    </footer>
  );
}

function SaveWords(props: {
  readonly saveState: ProjectState["saveState"];
  readonly unsaved: boolean;
  readonly problem: boolean;
}) {
  const { saveState, unsaved, problem } = props;
  const { project } = useWorkbench();
  const kept = useStore(project, (state) => state.kept);
  if (typeof saveState === "object") {
    return (
      <span className="bad" title={saveState.failed}>
        ✕ Not saved{" "}
        <Button size="small" variant="quiet" onClick={() => void project.getState().flush()}>
          Try again
        </Button>
      </span>
    );
  }
  if (problem) return <span className="warn">● Something in the editor is not saved</span>;
  if (saveState === "saving" || unsaved) return <span className="status-saved">Saving…</span>;
  return <span className="status-saved">{kept ? "Saved" : "In memory"}</span>;
}

function StorageWords() {
  const { project, mounts } = useWorkbench();
  const importing = useStore(mounts, (state) => state.importing !== undefined);
  const usage = useStore(project, (state) => state.usage);
  const kept = useStore(project, (state) => state.kept);
  const reason = useStore(project, (state) => state.keptReason);
  const trouble = useStore(project, (state) => state.trouble);
  const saveState = useStore(project, (state) => state.saveState);
  useEffect(() => {
    void project.getState().refreshUsage();
    const timer = setInterval(() => void project.getState().refreshUsage(), USAGE_MS);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- saving and importing are what uses storage
  }, [project, saveState, importing]);
  if (trouble !== undefined) {
    return (
      <span className="bad" title={trouble.reason}>
        {TROUBLE_WORDS[trouble.kind]}
      </span>
    );
  }
  if (!kept) {
    return (
      <span className="warn" title={reason}>
        ● Kept in memory only: gone when this tab closes
      </span>
    );
  }
  if (!usage) return <span className="status-storage">Storage unknown</span>;
  const quota = usage.quotaBytes === undefined ? "" : ` of ${byteText(usage.quotaBytes)}`;
  const promise = usage.persisted
    ? "The browser has promised not to clear it by itself."
    : "The browser may clear it when the disk is nearly full. Export what matters.";
  return (
    <span className="numeric status-storage" title={promise}>
      {`Storage ${byteText(usage.usedBytes)}${quota} · ${usage.persisted ? "kept" : "not promised to be kept"}`}
    </span>
  );
}

function DemoWords() {
  const isDemo = useStore(useWorkbench().project, (state) => state.model.kind === "demo");
  return isDemo ? (
    <span>
      <span className="status-demo-words">Answers come from the </span>
      {DEMO_MODEL_NAME}
    </span>
  ) : null;
}

function RunnerWords() {
  const { session, compare } = useWorkbench();
  const runner = useStore(session, (state) => state.runner);
  const waits = useStore(session, (state) => state.session.status === "input");
  const compares = useStore(compare, (state) => state.status !== "idle");
  if (compares) return <span>This tab runs the comparison</span>;
  if (runner === "this-tab") return <span>This tab runs the session</span>;
  if (runner === "another-tab") return <span className="warn">● Another tab runs the session</span>;
  return waits ? <span className="warn">● The session waits for you</span> : <span>No run</span>;
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

function OnlineWords() {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  return <span>{online ? "Online" : "Offline"}</span>;
}
