import { limits } from "../base";
import { contentsFromBytes, SnapshotTree, UnavailableError } from "../fs";
import type { SessionEvent } from "../session";
import type { Replay } from "../trajectory";
import { ChangeIndex } from "./changeIndex";
import type { OwnedSessionLook } from "./createSessionLook";
import { directoriesAbove } from "./directoriesAbove";
import { messageFromError } from "./messageFromError";
import { mountLooks } from "./mountLook";
import { changedPaths, ReplayLog } from "./replayLog";
import type { ReplayFile, ReplayPlace, ReplayState } from "./replayState";
import { indexAt, playTimes } from "./replayTimeline";
import { fileDifference } from "./sessionDifference";
import { treeImageAddress } from "./sessionLooks";
import type { WorkbenchCore } from "./workbenchCore";

/** Milliseconds between two words of how far a long log was read. */
const TOLD_MS = 200;

export interface ReplayDriverNeeds {
  readonly core: WorkbenchCore;
  readonly look: OwnedSessionLook;
  readonly get: () => ReplayState;
  readonly set: (patch: Partial<ReplayState>) => void;
}

interface OpenReplay {
  readonly log: ReplayLog;
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
  #shown: Replay | undefined;
  #shownEvents: readonly SessionEvent[] = [];
  #isPublishing = false;
  #isPreparing = false;
  /** Which place is shown, and how many frames a far one has yet to stay before it is: of a drag only the place is shown. */
  #shownIndex = -1;
  #restFrames = 0;
  /** Where playing began: at which moment, and how much had been played by then. */
  #playing: { readonly sinceMs: number; readonly playedMs: number; readonly due: Float64Array } | undefined;

  constructor(needs: ReplayDriverNeeds) {
    this.#needs = needs;
  }

  async open(sessionId: string, { index, file }: ReplayPlace = {}): Promise<void> {
    const { core, set } = this.#needs;
    this.close();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    set({ sessionId, loading: { events: 0 } });
    try {
      let isStartKept = false;
      const log = await ReplayLog.open(
        {
          log: core.storage.log(sessionId),
          blobs: core.storage.blobs,
          signal,
          startOf: async (started) => {
            const kept = await keptTree(core, started?.playground?.snapshot);
            isStartKept = kept !== undefined;
            return kept ?? (await shownStart(core, sessionId, signal));
          },
        },
        (events) => set({ loading: { events } }),
      );
      if (signal.aborted) return;
      this.#open = { log };
      const recorded = log.started?.playground;
      const prefixes = recorded?.mounts.map(({ prefix }) => prefix) ?? [];
      set({
        loading: undefined,
        isStartKept,
        eventCount: log.eventCount,
        mounts: mountLooks(recorded?.mounts ?? [], core.mounts.getState().mounts),
        expanded: new Set(prefixes.flatMap((prefix) => [...directoriesAbove(prefix), prefix])),
        ...(log.isIndexed ? {} : { indexing: { events: 0, ofEvents: log.eventCount } }),
      });
      if (log.isIndexed) this.#showIndex(log);
      else set({ totalMs: log.elapsedMs(log.eventCount - 1, log.viewAt(log.eventCount - 1)?.events.at(-1)) });
      this.#wanted = file;
      this.jump(index ?? log.eventCount - 1);
      if (!log.isIndexed) void this.#readOn(log, signal);
    } catch (error) {
      if (!signal.aborted) set({ loading: undefined, problem: messageFromError(error) });
    }
  }

  close(): void {
    this.pause();
    this.#restFrames = 0;
    this.#reading?.abort();
    this.#open = undefined;
    this.#shown = undefined;
    this.#shownEvents = [];
    this.#shownTree = undefined;
    this.#changedAt = undefined;
    this.#needs.set({
      sessionId: undefined,
      loading: undefined,
      indexing: undefined,
      isSettled: true,
      windowStart: 0,
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

  /** Goes somewhere on purpose: what is there is shown at once, however far it is. */
  jump(index: number): void {
    this.#shownIndex = index;
    this.seek(index);
  }

  seekStep(direction: 1 | -1): void {
    const { index, eventCount } = this.#needs.get();
    // Of what was not read yet, the steps in sight are known.
    const steps = this.#open?.log.isIndexed === false ? this.#shown?.stepIndexes : this.#needs.get().stepIndexes;
    const next =
      direction === 1
        ? (steps?.find((step) => step > index) ?? eventCount - 1)
        : (steps?.findLast((step) => step < index) ?? -1);
    this.jump(next);
  }

  /** Shows more of a long session before the place at hand. */
  showEarlier(): void {
    if (this.#open?.log.showEarlier() === true) this.#publishSoon();
  }

  play(): void {
    const { index, eventCount } = this.#needs.get();
    // When each event is due is known when all were read.
    if (this.#open?.log.isIndexed !== true || this.#playing !== undefined) return;
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
    await this.#settled();
    const { start } = this.#open.log;
    const { tree } = this.#needs.get();
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
    this.#restFrames = 0;
    this.#playing = undefined;
    this.#reading?.abort();
    this.#open = undefined;
  }

  /** Goes on reading a long log whose end is shown. */
  async #readOn(log: ReplayLog, signal: AbortSignal): Promise<void> {
    let toldAt = performance.now();
    try {
      await log.readOn((events) => {
        if (performance.now() < toldAt + TOLD_MS) return;
        toldAt = performance.now();
        this.#needs.set({ indexing: { events, ofEvents: log.eventCount } });
      });
      this.#showIndex(log);
      this.#publishSoon();
    } catch (error) {
      if (signal.aborted) return;
      const text = `The session cannot be read whole: ${messageFromError(error)}`;
      this.#needs.core.notices.getState().push({ tone: "bad", text });
    } finally {
      if (!signal.aborted) this.#needs.set({ indexing: undefined });
    }
  }

  #showIndex(log: ReplayLog): void {
    const { stepIndexes, changeIndexes, times } = log.index;
    this.#needs.set({
      totalMs: times.at(-1) ?? 0,
      outline: log.outline.entries(),
      stepIndexes,
      changeIndexes,
      expanded: new Set([...this.#needs.get().expanded, ...log.changedDirectories]),
    });
  }

  #move(index: number): void {
    const { eventCount, index: before } = this.#needs.get();
    if (this.#open === undefined) return;
    const next = Math.max(-1, Math.min(eventCount - 1, index));
    this.#open.log.moved(before, next);
    if (this.#playing === undefined && Math.abs(next - this.#shownIndex) > limits.replayNearEvents) {
      // All that is shown would be another thing with every frame of a drag, and drawn for nobody.
      const { log } = this.#open;
      this.#needs.set({
        index: next,
        isSettled: false,
        ...(log.isIndexed && { elapsedMs: log.elapsedMs(next, undefined) }),
      });
      this.#rest();
      return;
    }
    this.#restFrames = 0;
    this.#needs.set({ index: next });
    this.#publishSoon();
  }

  /** Shows the place at hand once it has been the same for some frames: the slower they come, the longer a drag takes to rest. */
  #rest(): void {
    const isWaiting = this.#restFrames > 0;
    this.#restFrames = limits.replayRestFrames;
    if (isWaiting) return;
    const wait = () =>
      this.#needs.core.services.scheduleFrame(() => {
        if (this.#restFrames === 0) return;
        this.#restFrames--;
        if (this.#restFrames === 0) this.#publish();
        else wait();
      });
    wait();
  }

  #publishSoon(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    this.#needs.core.services.scheduleFrame(() => {
      this.#isPublishing = false;
      this.#publish();
    });
  }

  /** What is there of the place is shown; what is missing is read, and shown then. */
  #publish(): void {
    const open = this.#open;
    if (open === undefined) return;
    const { index, isSettled } = this.#needs.get();
    const replay = open.log.viewAt(index);
    if (replay !== undefined) this.#show(open.log, replay, index);
    else if (open.log.isIndexed) this.#needs.set({ elapsedMs: open.log.elapsedMs(index, undefined) });
    if (isSettled !== (replay !== undefined)) this.#needs.set({ isSettled: replay !== undefined });
    if (!open.log.isReady(index)) void this.#prepare(open);
  }

  async #prepare(open: OpenReplay): Promise<void> {
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    try {
      await open.log.prepare(this.#needs.get().index);
    } catch (error) {
      if (open === this.#open) this.#needs.set({ problem: messageFromError(error) });
      return;
    } finally {
      this.#isPreparing = false;
    }
    this.#publishSoon();
  }

  /** Resolves when what is shown is of the place at hand. */
  async #settled(): Promise<void> {
    while (this.#open !== undefined && !this.#needs.get().isSettled)
      await new Promise<void>((resolve) => this.#needs.core.services.scheduleFrame(resolve));
  }

  #show(log: ReplayLog, replay: Replay, index: number): void {
    const { get, set, look } = this.#needs;
    const { selected, expanded, changes } = get();
    this.#shownIndex = index;
    const tree = replay.treeAt(index);
    const event = replay.eventAt(index);
    const changedAt = replay.changeIndexes.findLast((changeIndex) => changeIndex <= index);
    const wanted = this.#wanted;
    this.#wanted = undefined;
    const changed = changedAt === this.#changedAt ? undefined : changedPaths(replay.eventAt(changedAt ?? -1))[0];
    const followed = wanted ?? changed;
    this.#changedAt = changedAt;
    look.show({ session: replay.stateAt(index), events: this.#eventsOf(replay), from: replay.from, tree, log });
    set({
      event,
      elapsedMs: log.elapsedMs(index, event),
      windowStart: replay.from,
      touched: new Set(changedPaths(event)),
      ...(tree === this.#shownTree ? {} : { tree, changes: ChangeIndex.between(log.start, tree, changes) }),
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

  /** The events by their indexes in the log; those before a stretch of a long one are not there. */
  #eventsOf(replay: Replay): readonly SessionEvent[] {
    if (replay === this.#shown) return this.#shownEvents;
    this.#shown = replay;
    if (replay.from === 0) this.#shownEvents = replay.events;
    else {
      const events: SessionEvent[] = [];
      for (const [place, event] of replay.events.entries()) events[replay.from + place] = event;
      this.#shownEvents = events;
    }
    return this.#shownEvents;
  }

  #playFrom(index: number): void {
    if (this.#open === undefined) return;
    const due = playTimes(this.#open.log.index.times, this.#needs.get().speed);
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

/** What an imported log shows of the files it began with; nothing of one too long to be gone through before it is shown. */
async function shownStart({ storage }: WorkbenchCore, sessionId: string, signal: AbortSignal): Promise<SnapshotTree> {
  const log = storage.log(sessionId);
  if ((await log.length()) > limits.replayEvidenceEvents) return SnapshotTree.empty;
  const { EvidencedStart } = await import("../trajectory");
  const start = new EvidencedStart(storage.blobs);
  for await (const events of log.read()) {
    signal.throwIfAborted();
    for (const event of events) start.add(event);
  }
  return start.tree;
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
