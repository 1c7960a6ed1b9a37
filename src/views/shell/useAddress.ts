import { useEffect } from "react";
import type { Workbench, WorkMode } from "../../store";

const MODES: readonly WorkMode[] = ["run", "compare", "replay"];

/** What an entry of the browser's history belongs to. */
interface HistoryEntry {
  readonly project: string;
}

/**
 * The address says what is shown: `#/run`, `#/compare`, `#/replay` or `#/replay/<session>`. Each change is an entry of
 * the browser's history, so Back and Forward go through them, across projects too, and a link shows what it names.
 */
export function useAddress({ project, replay, services, storage }: Workbench): void {
  useEffect(() => {
    const entry: HistoryEntry = { project: storage.id };
    const here = () => addressOf(project.getState().mode, replay.getState().sessionId);
    const settle = () => history.replaceState(entry, "", here());
    const showAddress = () => {
      const { mode, sessionId } = placeIn(location.hash);
      if (mode === undefined) return;
      const shown = replay.getState();
      if (mode === "replay" && sessionId !== shown.sessionId) {
        if (sessionId === undefined) shown.close();
        else void shown.open(sessionId);
      }
      project.getState().setMode(mode);
    };
    const goBack = async () => {
      const owner = projectOfEntry();
      if (owner === undefined || owner === storage.id) showAddress();
      else if ((await services.listProjects()).some(({ id }) => id === owner)) {
        await services.showProject(owner);
        return;
      }
      settle();
    };
    const onPopState = () => void goBack().catch(settle);

    const owner = projectOfEntry();
    if (owner === undefined || owner === storage.id) {
      showAddress();
      settle();
    } else history.pushState(entry, "", here());

    let isClosed = false;
    let isWaiting = false;
    // What changes together, mode and session, is one entry.
    const follow = () => {
      if (isWaiting) return;
      isWaiting = true;
      queueMicrotask(() => {
        isWaiting = false;
        if (!isClosed && location.hash !== here()) history.pushState(entry, "", here());
      });
    };
    const stops = [project.subscribe(follow), replay.subscribe(follow)];
    window.addEventListener("popstate", onPopState);
    return () => {
      isClosed = true;
      for (const stop of stops) stop();
      window.removeEventListener("popstate", onPopState);
    };
  }, [project, replay, services, storage]);
}

function addressOf(mode: WorkMode, sessionId: string | undefined): string {
  return mode === "replay" && sessionId !== undefined ? `#/replay/${encodeURIComponent(sessionId)}` : `#/${mode}`;
}

function placeIn(hash: string): { readonly mode: WorkMode | undefined; readonly sessionId: string | undefined } {
  const [, mode, session] = /^#\/([a-z]+)(?:\/([\w.~%-]+))?$/.exec(hash) ?? [];
  return { mode: MODES.find((known) => known === mode), sessionId: decoded(session) };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function projectOfEntry(): string | undefined {
  const state = history.state as Partial<HistoryEntry> | null;
  return typeof state?.project === "string" ? state.project : undefined;
}
