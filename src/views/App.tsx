import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Workbench, WorkbenchHost } from "../store";
import { EditorColumn } from "./editor/EditorColumn";
import { MountsColumn } from "./mounts/MountsColumn";
import { SessionColumn } from "./session/SessionColumn";
import { ErrorBoundary } from "./shell/ErrorBoundary";
import { Header, Mark } from "./shell/Header";
import { NoticeStack } from "./shell/NoticeStack";
import { Overlays } from "./shell/Overlays";
import { ShellProvider, useShell, type Overlay, type Shell } from "./shell/shellContext";
import { StatusBar } from "./shell/StatusBar";
import { useThemeChoice } from "./shell/themeChoice";
import { useAddress } from "./shell/useAddress";
import { useShortcuts } from "./shell/useShortcuts";
import { useTerminalOpen } from "./shell/useTerminalOpen";
import { useStorageTrouble } from "./shell/useStorageTrouble";
import { Button } from "./widgets/Button";
import { Columns } from "./widgets/Columns";
import { EmptyState } from "./widgets/EmptyState";
import { TooltipProvider } from "./widgets/Tooltip";
import { useWorkbench, WorkbenchProvider } from "./workbenchContext";
import "./shell/shell.css";

const CompareScreen = lazy(() =>
  import("./compare/CompareScreen").then((module) => ({ default: module.CompareScreen })),
);
const ReplayScreen = lazy(() => import("./replay/ReplayScreen").then((module) => ({ default: module.ReplayScreen })));

/** The whole page: the open project, or why there is none. */
export function App({ host }: { readonly host: WorkbenchHost }) {
  const workbench = useStore(host.state, (state) => state.workbench);
  const failure = useStore(host.state, (state) => state.failure);
  const [theme, setTheme] = useThemeChoice();
  const [overlay, show] = useState<Overlay>(undefined);
  const [terminal, setTerminal] = useTerminalOpen();
  const shell = useMemo(
    (): Shell => ({ overlay, show, terminal, setTerminal, theme, setTheme }),
    [overlay, terminal, setTerminal, theme, setTheme],
  );
  if (failure !== undefined) return <Failure text={failure} retry={() => void host.begin()} />;
  if (!workbench) return <Loading />;
  return (
    <TooltipProvider>
      <ShellProvider value={shell}>
        <WorkbenchProvider key={workbench.storage.id} value={workbench}>
          <ErrorBoundary workbench={workbench}>
            <Screen workbench={workbench} />
          </ErrorBoundary>
        </WorkbenchProvider>
      </ShellProvider>
    </TooltipProvider>
  );
}

function Screen({ workbench }: { readonly workbench: Workbench }) {
  useShortcuts();
  useAddress(workbench);
  useFirstRun(workbench);
  useSaveOnLeave(workbench);
  useStorageTrouble();
  const mode = useStore(workbench.project, (state) => state.mode);
  const name = useStore(workbench.project, (state) => state.name);
  // Once shown it stays, so that coming back finds every place where it was.
  const [showsRun, setShowsRun] = useState(mode === "run");
  if (mode === "run" && !showsRun) setShowsRun(true);
  useEffect(() => {
    document.title = `${name} · Rootscope`;
  }, [name]);
  return (
    <div className="app">
      <Header />
      <main className="screen">
        {showsRun ? (
          <div className="screen-part" hidden={mode !== "run"}>
            <RunScreen />
          </div>
        ) : null}
        <Suspense fallback={<p className="screen-loading dim">Loading…</p>}>
          {mode === "compare" ? <CompareScreen /> : null}
          {mode === "replay" ? <ReplayScreen /> : null}
        </Suspense>
      </main>
      <StatusBar />
      <NoticeStack />
      <Overlays />
    </div>
  );
}

function RunScreen() {
  const { editor } = useWorkbench();
  const { terminal } = useShell();
  const [tab, setTab] = useState("session");
  const [hadTerminal, setHadTerminal] = useState(terminal);
  if (terminal !== hadTerminal) {
    setHadTerminal(terminal);
    if (terminal) setTab("editor");
  }
  // On a narrow screen what was opened comes to the front.
  useEffect(
    () => editor.subscribe((state, before) => (state.openCount === before.openCount ? undefined : setTab("editor"))),
    [editor],
  );
  return (
    <Columns
      id="run"
      tab={tab}
      onTabChange={setTab}
      columns={[
        {
          id: "mounts",
          title: "Files",
          content: <MountsColumn />,
          defaultWidth: 288,
          minWidth: 200,
          collapsible: true,
        },
        { id: "editor", title: "Editor", content: <EditorColumn />, minWidth: 240, collapsible: true },
        {
          id: "session",
          title: "Session",
          content: <SessionColumn />,
          defaultWidth: 476,
          minWidth: 320,
          collapsible: true,
        },
      ]}
    />
  );
}

/** The sample runs itself once, on the very first visit. */
function useFirstRun({ project, session }: Workbench) {
  useEffect(() => {
    const { runsItself, change } = project.getState();
    if (runsItself === undefined || runsItself === "") return;
    change({ runsItself: "" });
    void session.getState().send(runsItself);
  }, [project, session]);
}

/** What was typed a moment ago is on its way to the disk before the tab is gone. */
function useSaveOnLeave({ editor, project }: Workbench) {
  useEffect(() => {
    const save = () => {
      if (document.visibilityState !== "hidden") return;
      void editor.getState().saveAll();
      void project.getState().flush();
    };
    const warn = (event: BeforeUnloadEvent) => {
      save();
      if (editor.getState().documents.some((document) => document.dirty)) event.preventDefault();
    };
    document.addEventListener("visibilitychange", save);
    window.addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("visibilitychange", save);
      window.removeEventListener("beforeunload", warn);
    };
  }, [editor, project]);
}

function Loading() {
  return (
    <div className="app" aria-busy="true">
      <header className="header">
        <Mark />
        <span className="product-name">Rootscope</span>
      </header>
      <main className="screen" />
      <footer className="status-bar">Opening the project…</footer>
    </div>
  );
}

function Failure({ text, retry }: { readonly text: string; readonly retry: () => void }) {
  return (
    <main className="failure">
      <EmptyState
        text={`The project does not open: ${text}`}
        action={
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
        }
      />
    </main>
  );
}
