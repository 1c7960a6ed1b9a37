import { contentsFromBytes, SnapshotTree, UnavailableError } from "../fs";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { createReplay, type Replay } from "../trajectory";
import { ChangeIndex } from "./changeIndex";
import type { OwnedSessionLook } from "./createSessionLook";
import { messageFromError } from "./messageFromError";
import { mountLooks } from "./mountLook";
import { replayOutline } from "./replayOutline";
import type { ReplayFile, ReplayPlace, ReplayState } from "./replayState";
import { eventTimes, indexAt, playTimes } from "./replayTimeline";
import { fileDifference } from "./sessionDifference";
import { treeImageAddress } from "./sessionLooks";
import { directoriesAbove } from "./directoriesAbove";
import type { WorkbenchCore } from "./workbenchCore";

/** Milliseconds of reading after which a long log lets the page breathe. */
const SLICE_MS = 8;

export interface ReplayDriverNeeds {
  readonly core: WorkbenchCore;
  readonly look: OwnedSessionLook;
  readonly get: () => ReplayState;
  readonly set: (patch: Partial<ReplayState>) => void;
}

interface OpenReplay {
  readonly replay: Replay;
  readonly start: SnapshotTree;
  readonly times: Float64Array;
}

/** Shows a saved session at any of its events. Nothing runs and nothing is written. */
export class ReplayDriver {
  readonly #needs: ReplayDriverNeeds;
  #open: OpenReplay | undefined;
  #reading: AbortController | undefined;
  #shownTree: SnapshotTree | undefined;
  /** The last change of a file that had happened where the replay was shown last. */
  #changedAt: number | undefined;
  /** A file to show first, whatever was changed. */
  #wanted: string | undefined;
  #isPublishing = false;
  /** Where playing began: at which moment, and how much had been played by then. */
  #playing: { readonly sinceMs: number; readonly playedMs: number; readonly due: Float64Array } | undefined;

  constructor(needs: ReplayDriverNeeds) {
    this.#needs = needs;
  }

  async open(sessionId: string, { index, file }: ReplayPlace = {}): Promise<void> {
    const { core, set } = this.#needs;
    this.close();
    const reading = new AbortController();
    this.#reading = reading;
    set({ sessionId, loading: { events: 0 } });
    try {
      const events = await this.#eventsOf(sessionId, reading.signal);
      if (events.length === 0) throw new Error("The session has no events: it may have been deleted.");
      const final = sessionStateFromEvents(events);
      const recorded = final.started?.playground;
      const start = await keptTree(core, recorded?.snapshot);
      if (reading.signal.aborted) return;
      const replay = createReplay(events, start ?? SnapshotTree.empty, core.storage.blobs);
      this.#open = { replay, start: start ?? SnapshotTree.empty, times: eventTimes(events) };
      set({
        loading: undefined,
        isStartKept: start !== undefined,
        eventCount: replay.eventCount,
        totalMs: this.#open.times.at(-1) ?? 0,
        outline: replayOutline(final),
        stepIndexes: replay.stepIndexes,
        changeIndexes: replay.changeIndexes,
        mounts: mountLooks(recorded?.mounts ?? [], core.mounts.getState().mounts),
        expanded: expandedAtFirst(replay, recorded?.mounts.map(({ prefix }) => prefix) ?? []),
      });
      this.#wanted = file;
      this.seek(index ?? replay.eventCount - 1);
    } catch (error) {
      if (!reading.signal.aborted) set({ loading: undefined, problem: messageFromError(error) });
    }
  }

  close(): void {
    this.pause();
    this.#reading?.abort();
    this.#open = undefined;
    this.#shownTree = undefined;
    this.#changedAt = undefined;
    this.#needs.set({
      sessionId: undefined,
      loading: undefined,
      problem: undefined,
      eventCount: 0,
      index: -1,
      event: undefined,
      outline: [],
      stepIndexes: [],
      changeIndexes: [],
      tree: SnapshotTree.empty,
      changes: ChangeIndex.none,
      touched: new Set(),
      selected: undefined,
      chosen: undefined,
    });
  }

  /** Moves at once; what is shown there follows with the next frame. */
  seek(index: number): void {
    this.#move(index);
    if (this.#playing !== undefined) this.#playFrom(this.#needs.get().index);
  }

  seekStep(direction: 1 | -1): void {
    const { index, stepIndexes, eventCount } = this.#needs.get();
    const next =
      direction === 1
        ? (stepIndexes.find((step) => step > index) ?? eventCount - 1)
        : (stepIndexes.findLast((step) => step < index) ?? -1);
    this.seek(next);
  }

  play(): void {
    const { index, eventCount } = this.#needs.get();
    if (this.#open === undefined || this.#playing !== undefined) return;
    this.#needs.set({ isPlaying: true });
    if (index >= eventCount - 1) this.#move(-1);
    this.#playFrom(this.#needs.get().index);
    this.#tick();
  }

  pause(): void {
    this.#playing = undefined;
    this.#needs.set({ isPlaying: false });
  }

  /** Another speed was chosen: playing goes on from here at it. */
  speedChanged(): void {
    if (this.#playing !== undefined) this.#playFrom(this.#needs.get().index);
  }

  async fileAt(path: string): Promise<ReplayFile> {
    if (this.#open === undefined) return { path, sizeBytes: 0, problem: "No session is open." };
    const { replay, start } = this.#open;
    const tree = replay.treeAt(this.#needs.get().index);
    const file = tree.file(path);
    const before = start.file(path);
    const base = { path, sizeBytes: file?.sizeBytes ?? 0 };
    try {
      const [bytes, old] = await Promise.all([
        file?.bytes(),
        before?.hash === file?.hash ? undefined : before?.bytes(),
      ]);
      const contents = bytes === undefined ? undefined : contentsFromBytes(bytes);
      const difference =
        before?.hash === file?.hash
          ? undefined
          : fileDifference(path, old === undefined ? undefined : contentsFromBytes(old), contents);
      const image = await treeImageAddress(tree, path);
      return {
        ...base,
        ...(bytes === undefined ? {} : { sizeBytes: bytes.length }),
        ...(typeof contents === "string" ? { text: contents } : {}),
        ...(image === undefined ? {} : { image }),
        ...(difference === undefined ? {} : { difference }),
        ...(contents === undefined && difference === undefined
          ? { problem: "There is no such file at this point." }
          : {}),
      };
    } catch (error) {
      const isLost = error instanceof UnavailableError;
      return {
        ...base,
        problem: isLost ? "The saved session does not hold the contents of this file." : messageFromError(error),
      };
    }
  }

  dispose(): void {
    this.#playing = undefined;
    this.#reading?.abort();
    this.#open = undefined;
  }

  async #eventsOf(sessionId: string, signal: AbortSignal): Promise<SessionEvent[]> {
    const events: SessionEvent[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for await (const batch of this.#needs.core.storage.log(sessionId).read()) {
      signal.throwIfAborted();
      events.push(...batch);
      if (performance.now() < sliceEnd) continue;
      this.#needs.set({ loading: { events: events.length } });
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
    return events;
  }

  #move(index: number): void {
    const { eventCount } = this.#needs.get();
    if (this.#open === undefined) return;
    this.#needs.set({ index: Math.max(-1, Math.min(eventCount - 1, index)) });
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    this.#needs.core.services.scheduleFrame(() => {
      this.#isPublishing = false;
      this.#publish();
    });
  }

  #publish(): void {
    const { get, set, look } = this.#needs;
    if (this.#open === undefined) return;
    const { replay, start, times } = this.#open;
    const { index, selected, expanded, changes } = get();
    const tree = replay.treeAt(index);
    const event = replay.events[index];
    const touched = new Set(changedPaths(event));
    const changedAt = replay.changeIndexes.findLast((changeIndex) => changeIndex <= index);
    const wanted = this.#wanted;
    this.#wanted = undefined;
    const changed = changedAt === this.#changedAt ? undefined : changedPaths(replay.events[changedAt ?? -1])[0];
    const followed = wanted ?? changed;
    this.#changedAt = changedAt;
    look.show({ session: replay.stateAt(index), events: replay.events, tree });
    set({
      event,
      elapsedMs: times[index] ?? 0,
      touched,
      ...(tree === this.#shownTree ? {} : { tree, changes: ChangeIndex.between(start, tree, changes) }),
      // What has changed on the way here is what a person wants to see.
      ...(followed === undefined || followed === selected
        ? {}
        : {
            selected: followed,
            chosen: wanted,
            expanded: new Set([...expanded, ...directoriesAbove(followed)]),
          }),
    });
    this.#shownTree = tree;
  }

  #playFrom(index: number): void {
    if (this.#open === undefined) return;
    const due = playTimes(this.#open.times, this.#needs.get().speed);
    this.#playing = { sinceMs: performance.now(), playedMs: due[index] ?? 0, due };
  }

  #tick(): void {
    const { core, get } = this.#needs;
    core.services.scheduleFrame(() => {
      if (this.#playing === undefined) return;
      const { sinceMs, playedMs, due } = this.#playing;
      const next = Math.max(get().index, indexAt(due, playedMs + performance.now() - sinceMs));
      if (next !== get().index) this.#move(next);
      if (next >= get().eventCount - 1) this.pause();
      else this.#tick();
    });
  }
}

/** The tree a session began with; `undefined` when it is not here. */
async function keptTree({ storage }: WorkbenchCore, rootHash: string | undefined): Promise<SnapshotTree | undefined> {
  if (rootHash === undefined) return undefined;
  try {
    return await storage.loadSnapshot(rootHash);
  } catch {
    return undefined;
  }
}

function changedPaths(event: SessionEvent | undefined): readonly string[] {
  if (event?.type !== "action.result" && event?.type !== "tree.changed") return [];
  return (event.data.changes ?? []).map(({ path }) => path);
}

/** Mounts and the way to whatever the session changed. */
function expandedAtFirst({ events }: Replay, prefixes: readonly string[]): ReadonlySet<string> {
  const expanded = new Set(prefixes.flatMap((prefix) => [...directoriesAbove(prefix), prefix]));
  for (const event of events)
    for (const path of changedPaths(event)) for (const above of directoriesAbove(path)) expanded.add(above);
  return expanded;
}
