import { createStore, type StoreApi } from "zustand/vanilla";
import { limits } from "../base";
import type { SessionEvent } from "../session";
import { NO_FILTER, outlineRows, toggledFor, type OutlineRows, type ReplayFilter } from "./replayFilter";
import { sessionFamily, type SessionFamily } from "./replayLookFamily";
import { OutlineFold, withSubagents, type OutlineNode } from "./replayLookOutline";
import { searchSessions, type SearchHit } from "./replaySearch";
import type { SessionView } from "./sessionStoreState";
import type { Workbench } from "./workbench";

/** What stands in the middle: the chosen file, the event at hand, where that stands in the imported file, or all about the session. */
export type ReplayMiddleView = "file" | "event" | "original" | "about";

export interface ReplayLookState {
  readonly middle: ReplayMiddleView;
  /** How the session at its side is seen. */
  readonly sessionView: SessionView;
  readonly family: SessionFamily;
  /** The first events of the log: what the session says of itself. */
  readonly head: readonly SessionEvent[];
  /** Every line of the outline, those of subagents that were read below their calls. */
  readonly nodes: readonly OutlineNode[];
  /** Of them those that are shown, as they are filtered and folded. */
  readonly shown: OutlineRows;
  readonly isReading: boolean;
  /** Milliseconds since 1970 of the first event that tells its time. */
  readonly firstMs?: number | undefined;
  /** Lines a person closed or opened. */
  readonly toggled: ReadonlySet<string>;
  readonly filter: ReplayFilter;

  readonly words: string;
  readonly isSearching: boolean;
  readonly hits: readonly SearchHit[];
  readonly hitCount: number;
  readonly eventsSearched: number;
  /** The hit that is shown, by its place among `hits`; -1 before one is. */
  readonly hitAt: number;

  readonly setMiddle: (view: ReplayMiddleView) => void;
  readonly setSessionView: (view: SessionView) => void;
  readonly toggle: (node: OutlineNode) => void;
  readonly toggleAll: (open: boolean) => void;
  readonly setFilter: (patch: Partial<ReplayFilter>) => void;
  readonly clearFilter: () => void;
  /** Begins a search; the one before ends. Empty words end it. */
  readonly search: (words: string) => void;
  readonly stopSearch: () => void;
  /** Shows a hit; past the last comes the first. */
  readonly showHit: (at: number) => void;
  /** Goes to an event of the open session, or of one that belongs to it. */
  readonly goTo: (place: { readonly sessionId?: string | undefined; readonly index: number }) => void;
  /** Reads the lines of every subagent. */
  readonly readSubagents: () => Promise<void>;
}

export type ReplayLookStore = StoreApi<ReplayLookState>;

export interface ReplayLook {
  readonly store: ReplayLookStore;
  /** Follows the session that is open until the result is called. */
  follow(): () => void;
}

/** What a person sees of the open session beside its place: outline, filter and search. */
export function createReplayLook(workbench: ReplayLookNeeds): ReplayLook {
  return new ReplayLookReader(workbench);
}

export type ReplayLookNeeds = Pick<Workbench, "replay" | "session" | "storage" | "notices">;

/** In so many events a log says where it comes from. */
const HEAD_EVENTS = 4;

const nothingFound = { isSearching: false, hits: [], hitCount: 0, eventsSearched: 0, hitAt: -1 } as const;

class ReplayLookReader implements ReplayLook {
  readonly store: ReplayLookStore;
  readonly #needs: ReplayLookNeeds;
  #sessionId: string | undefined;
  #own: readonly OutlineNode[] = [];
  #subagents = new Map<string, readonly OutlineNode[]>();
  #reading = new AbortController();
  #searching: AbortController | undefined;

  constructor(needs: ReplayLookNeeds) {
    this.#needs = needs;
    this.store = createStore<ReplayLookState>()((set, get) => ({
      middle: "file",
      sessionView: "chat",
      family: { children: [], branches: [] },
      head: [],
      nodes: [],
      shown: outlineRows([], NO_FILTER, new Set()),
      isReading: false,
      toggled: new Set(),
      filter: NO_FILTER,
      words: "",
      ...nothingFound,
      setMiddle: (middle) => set({ middle }),
      setSessionView: (sessionView) => set({ sessionView }),
      toggle: (node) => {
        const toggled = new Set(get().toggled);
        if (!toggled.delete(node.id)) toggled.add(node.id);
        set({ toggled });
        if (node.kind === "subagent" && node.sessionId !== undefined) void this.#readSubagent(node.sessionId);
      },
      toggleAll: (open) => {
        set({ toggled: toggledFor(get().nodes, open) });
        if (open) void this.#readAll().then(() => set({ toggled: toggledFor(get().nodes, true) }));
      },
      setFilter: (patch) => set({ filter: { ...get().filter, ...patch } }),
      clearFilter: () => set({ filter: NO_FILTER }),
      search: (words) => void this.#search(words),
      stopSearch: () => this.#searching?.abort(),
      showHit: (at) => this.#showHit(at),
      goTo: (place) => this.#goTo(place),
      readSubagents: () => this.#readAll(),
    }));
  }

  follow(): () => void {
    const { replay, session } = this.#needs;
    const follow = () => this.#follow();
    const arranged = this.store.subscribe(({ nodes, filter, toggled }, before) => {
      if (nodes === before.nodes && filter === before.filter && toggled === before.toggled) return;
      this.store.setState({ shown: outlineRows(nodes, filter, toggled) });
    });
    const stops = [replay.subscribe(follow), session.subscribe(follow), arranged];
    follow();
    return () => {
      for (const stop of stops) stop();
      this.#reading.abort();
      this.#searching?.abort();
      this.#sessionId = undefined;
    };
  }

  #follow(): void {
    const { sessionId, eventCount } = this.#needs.replay.getState();
    const records = this.#needs.session.getState().sessions;
    const family = sessionFamily(records, sessionId);
    if (!isSameFamily(family, this.store.getState().family)) {
      this.store.setState({ family });
      this.#show();
    }
    // Before its events are there, nobody knows whether the session is; one that closes may make way for a related one.
    if (sessionId === undefined || sessionId === this.#sessionId || eventCount === 0) return;
    const isRelated = this.#isRelated(sessionId);
    this.#sessionId = sessionId;
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#own = [];
    this.#subagents = new Map();
    this.store.setState({ head: [], nodes: [], firstMs: undefined, toggled: new Set() });
    if (!isRelated) {
      this.#searching?.abort();
      this.store.setState({ words: "", filter: NO_FILTER, ...nothingFound });
    }
    void this.#read(sessionId);
  }

  /** A hit may lie in a session that belongs to the one that was searched: what was found stays. */
  #isRelated(sessionId: string): boolean {
    return this.store.getState().hits.some((hit) => hit.sessionId === sessionId);
  }

  async #read(sessionId: string): Promise<void> {
    const { signal } = this.#reading;
    this.store.setState({ isReading: true });
    try {
      const { nodes, firstMs } = await this.#outlineOf(sessionId, signal, (head) => this.store.setState({ head }));
      this.#own = nodes;
      this.store.setState({ firstMs });
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    }
    if (signal.aborted) return;
    this.store.setState({ isReading: false });
    this.#show();
  }

  async #outlineOf(
    sessionId: string,
    signal: AbortSignal,
    begun?: (head: readonly SessionEvent[]) => void,
  ): Promise<OutlineFold> {
    const fold = new OutlineFold();
    let index = 0;
    let sliceEnd = performance.now() + limits.workSliceMs;
    for await (const batch of this.#needs.storage.log(sessionId).read()) {
      signal.throwIfAborted();
      if (index === 0) begun?.(batch.slice(0, HEAD_EVENTS));
      for (const event of batch) {
        fold.add(event, index++);
        if (performance.now() < sliceEnd) continue;
        await new Promise((resolve) => setTimeout(resolve));
        sliceEnd = performance.now() + limits.workSliceMs;
      }
      signal.throwIfAborted();
    }
    return fold;
  }

  async #readSubagent(sessionId: string): Promise<void> {
    if (this.#subagents.has(sessionId)) return;
    const { signal } = this.#reading;
    try {
      const { nodes } = await this.#outlineOf(sessionId, signal);
      this.#subagents.set(sessionId, nodes);
      this.#show();
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    }
  }

  async #readAll(): Promise<void> {
    const { children } = this.store.getState().family;
    const { signal } = this.#reading;
    for (const { sessionId } of children.slice(0, limits.replayLanes)) {
      if (signal.aborted) return;
      await this.#readSubagent(sessionId);
    }
  }

  #show(): void {
    const { family } = this.store.getState();
    this.store.setState({ nodes: withSubagents(this.#own, family.children, this.#subagents) });
  }

  async #search(words: string): Promise<void> {
    this.#searching?.abort();
    const { sessionId } = this.#needs.replay.getState();
    this.store.setState({ words, ...nothingFound });
    if (words.trim() === "" || sessionId === undefined) return;
    const searching = new AbortController();
    this.#searching = searching;
    this.store.setState({ isSearching: true });
    const { storage } = this.#needs;
    const ids = [sessionId, ...this.store.getState().family.children.map((child) => child.sessionId)];
    const sessions = ids.map((id) => ({
      sessionId: id,
      read: (): AsyncIterable<readonly SessionEvent[]> => storage.log(id).read(),
    }));
    try {
      await searchSessions(sessions, words, {
        signal: searching.signal,
        onProgress: ({ hits, count, eventsRead }) => {
          if (!searching.signal.aborted) this.store.setState({ hits, hitCount: count, eventsSearched: eventsRead });
        },
      });
    } catch (error) {
      if (!searching.signal.aborted) this.#report(error);
    }
    if (this.#searching === searching) this.store.setState({ isSearching: false });
  }

  #showHit(at: number): void {
    const { hits } = this.store.getState();
    const next = hits.length === 0 ? -1 : (at + hits.length) % hits.length;
    const hit = hits[next];
    if (hit === undefined) return;
    this.store.setState({ hitAt: next, middle: "event" });
    this.#goTo(hit);
    const look = this.#needs.replay.getState().look.getState();
    if (hit.callId !== undefined && !look.openIds.has(hit.callId)) look.toggle(hit.callId);
  }

  #goTo({ sessionId, index }: { readonly sessionId?: string | undefined; readonly index: number }): void {
    const { replay } = this.#needs;
    const { sessionId: shown, open, jumpTo } = replay.getState();
    if (sessionId === undefined || sessionId === shown) jumpTo(index);
    else void open(sessionId, { index });
  }

  #report(error: unknown): void {
    const text = `The session cannot be read whole: ${error instanceof Error ? error.message : String(error)}`;
    this.#needs.notices.getState().push({ tone: "bad", text });
  }
}

function isSameFamily(a: SessionFamily, b: SessionFamily): boolean {
  const idsOf = ({ parent, children, branches }: SessionFamily) =>
    [
      parent?.record.id,
      ...children.map(({ sessionId, name, eventCount }) => `${sessionId} ${name} ${eventCount}`),
      "/",
      ...branches.map(({ id, name }) => `${id} ${name}`),
    ].join("\n");
  return idsOf(a) === idsOf(b);
}
