import { createStore } from "zustand/vanilla";
import { SnapshotTree } from "../fs";
import { ChangeIndex } from "./changeIndex";
import { createSessionLook } from "./createSessionLook";
import type { ReplayDriver } from "./replayDriver";
import type { ReplayState, ReplayStore } from "./replayState";
import type { WorkbenchCore } from "./workbenchCore";

/** A saved session that is looked at. What reads it is loaded with the first one. */
export function createReplayStore(core: WorkbenchCore): ReplayStore {
  const look = createSessionLook(core.storage.blobs);
  return createStore<ReplayState>()((set, get) => {
    let loading: Promise<ReplayDriver> | undefined;
    const driver = () =>
      (loading ??= import("./replayDriver").then(({ ReplayDriver: Driver }) => new Driver({ core, look, get, set })));
    const tell = (what: (driver: ReplayDriver) => void) => void driver().then(what);
    return {
      ...startState,
      look: look.store,
      // Which session it is, is known at once, whatever has to be loaded first.
      async open(sessionId, place) {
        set({ sessionId, problem: undefined, loading: { events: 0 }, eventCount: 0 });
        await (await driver()).open(sessionId, place);
      },
      close() {
        set({ sessionId: undefined });
        tell((loaded) => loaded.close());
      },
      seek: (index) => tell((loaded) => loaded.seek(index)),
      jumpTo(index) {
        set({ jumps: get().jumps + 1 });
        tell((loaded) => loaded.jump(index));
      },
      ask: (what) => set({ asked: { what, count: (get().asked?.count ?? 0) + 1 } }),
      showEarlier: () => tell((loaded) => loaded.showEarlier()),
      seekStep: (direction) => tell((loaded) => loaded.seekStep(direction)),
      play: () => tell((loaded) => loaded.play()),
      pause: () => tell((loaded) => loaded.pause()),
      setSpeed(speed) {
        set({ speed });
        tell((loaded) => loaded.speedChanged());
      },
      select: (selected) => set({ selected, chosen: selected }),
      setExpanded(path, isExpanded) {
        const expanded = new Set(get().expanded);
        if (isExpanded) expanded.add(path);
        else expanded.delete(path);
        set({ expanded });
      },
      fileAt: async (path) => (await driver()).fileAt(path),
      dispose: () => void loading?.then((loaded) => loaded.dispose()),
    };
  });
}

const startState = {
  sessionId: undefined,
  loading: undefined,
  indexing: undefined,
  problem: undefined,
  isStartKept: true,
  eventCount: 0,
  index: -1,
  event: undefined,
  isSettled: true,
  windowStart: 0,
  elapsedMs: 0,
  totalMs: 0,
  outline: [],
  stepIndexes: [],
  changeIndexes: [],
  mounts: [],
  tree: SnapshotTree.empty,
  changes: ChangeIndex.none,
  touched: new Set<string>(),
  expanded: new Set<string>(),
  selected: undefined,
  chosen: undefined,
  jumps: 0,
  asked: undefined,
  isPlaying: false,
  speed: 1,
} as const satisfies Partial<ReplayState>;
