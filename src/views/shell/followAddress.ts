import { replayAddress, type ReplayPlace, type ReplayState, type Workbench, type WorkMode } from "../../store";

const MODES: readonly WorkMode[] = ["run", "compare", "replay"];

/** What an entry of the browser's history belongs to. */
interface HistoryEntry {
  readonly project: string;
}

/** Milliseconds a replay stands still before the address says where. */
const SETTLE_MS = 300;

/**
 * The address says what is shown: `#/run`, `#/compare`, `#/replay` or `#/replay/<session>/<event>/<file>`. Each change is an
 * entry of the browser's history, so Back and Forward go through them, across projects too, and a link shows what it names.
 * In a session only going somewhere on purpose is; scrubbing and playing move the entry at hand. The function returned ends that.
 */
export function followAddress({ project, replay, services, session, storage }: Workbench): () => void {
  const entry: HistoryEntry = { project: storage.id };
  const here = () => addressOf(project.getState().mode, replay.getState());
  const settle = () => {
    // Within one session the replay is still on its way to where the address says.
    if (!isSamePlace()) history.replaceState(entry, "", here());
  };
  const isSamePlace = () => {
    const told = placeIn(location.hash);
    const { mode } = project.getState();
    return told.mode === mode && mode === "replay" && told.sessionId === replay.getState().sessionId;
  };
  /** A link that holds a session is taken as a dropped file is: nothing of it runs. */
  const showLinked = async (fragment: string) => {
    const sessionId = await session.getState().importLink(fragment);
    if (sessionId === undefined) return;
    void replay.getState().open(sessionId);
    project.getState().setMode("replay");
  };
  const showAddress = () => {
    if (location.hash.startsWith("#session=")) void showLinked(location.hash);
    const { mode, sessionId, place } = placeIn(location.hash);
    if (mode === undefined) return;
    const shown = replay.getState();
    if (mode === "replay" && sessionId !== shown.sessionId) {
      if (sessionId === undefined) shown.close();
      else void shown.open(sessionId, place);
    } else if (mode === "replay" && shown.eventCount > 0) {
      shown.seek(place.index ?? shown.eventCount - 1);
      if (place.file !== undefined && place.file !== shown.selected) shown.select(place.file);
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
  let settling: ReturnType<typeof setTimeout> | undefined;
  let { jumps } = replay.getState();
  const placeChanged = () => {
    const next = replay.getState().jumps;
    if (location.hash !== here()) {
      if (next === jumps) history.replaceState(entry, "", here());
      else history.pushState(entry, "", here());
    }
    jumps = next;
  };
  // What changes together, mode and session, is one entry.
  const follow = () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      if (isClosed || location.hash === here()) return;
      const told = placeIn(location.hash);
      const { mode } = project.getState();
      const { sessionId, isPlaying } = replay.getState();
      const isSame = told.mode === mode && (mode !== "replay" || told.sessionId === sessionId);
      if (!isSame) history.pushState(entry, "", here());
      else if (!isPlaying) {
        clearTimeout(settling);
        settling = setTimeout(placeChanged, SETTLE_MS);
      }
    });
  };
  const stops = [project.subscribe(follow), replay.subscribe(follow)];
  window.addEventListener("popstate", onPopState);
  return () => {
    isClosed = true;
    clearTimeout(settling);
    for (const stop of stops) stop();
    window.removeEventListener("popstate", onPopState);
  };
}

type ShownPlace = Pick<ReplayState, "sessionId" | "index" | "eventCount" | "chosen">;

/** The end of a session is where it opens: only another place is named. While it is being read, where it will begin is unknown. */
function addressOf(mode: WorkMode, { sessionId, index, eventCount, chosen }: ShownPlace): string {
  if (mode !== "replay" || sessionId === undefined) return `#/${mode}`;
  const session = `#/replay/${encodeURIComponent(sessionId)}`;
  if (eventCount === 0) return location.hash.startsWith(`${session}/`) ? location.hash : session;
  return replayAddress(sessionId, {
    ...(index === eventCount - 1 ? {} : { index }),
    ...(chosen === undefined ? {} : { file: chosen }),
  });
}

interface NamedPlace {
  readonly mode: WorkMode | undefined;
  readonly sessionId: string | undefined;
  readonly place: ReplayPlace;
}

function placeIn(hash: string): NamedPlace {
  const [, mode, session, event, file] =
    /^#\/([a-z]+)(?:\/([\w.~%!'()*-]+)(?:\/(\d+|end)(?:\/([\w.~%!'()*-]+))?)?)?$/.exec(hash) ?? [];
  const number = Number(event);
  const path = decoded(file);
  return {
    mode: MODES.find((known) => known === mode),
    sessionId: decoded(session),
    place: {
      ...(Number.isSafeInteger(number) ? { index: number - 1 } : {}),
      ...(path === undefined ? {} : { file: path }),
    },
  };
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
