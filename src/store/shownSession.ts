import { allowedTools } from "../session";
import { noSession } from "./noSession";
import type { OpenSession } from "./openSession";
import { chatRows, sameRows } from "./sessionRows";
import type { SessionStoreState } from "./sessionStoreState";

export interface ShownSessionNeeds {
  readonly scheduleFrame: (callback: () => void) => void;
  readonly get: () => SessionStoreState;
  readonly set: (patch: Partial<SessionStoreState>) => void;
}

/** Which session is on the screen. It is published at most once a frame while it runs, and only what is on disk. */
export class ShownSession {
  readonly #needs: ShownSessionNeeds;
  /** Those whose next frame is asked for. */
  readonly #publishing = new WeakSet<OpenSession>();
  #now: OpenSession | undefined;

  constructor(needs: ShownSessionNeeds) {
    this.#needs = needs;
  }

  get now(): OpenSession | undefined {
    return this.#now;
  }

  show(session: OpenSession): void {
    this.#now = session;
    this.#needs.set({ currentId: session.id, openIds: new Set(), shownRequest: undefined, rows: [] });
    this.publish(session);
  }

  showNone(): void {
    this.#now = undefined;
    this.#needs.set(noSession);
  }

  /** What is open changed: rows fold and unfold by it. */
  refold(): void {
    const { session, openIds, rows } = this.#needs.get();
    this.#needs.set({ rows: sameRows(rows, chatRows(session, openIds)) });
  }

  publishSoon(session: OpenSession): void {
    if (this.#publishing.has(session) || session !== this.#now) return;
    this.#publishing.add(session);
    this.#needs.scheduleFrame(() => void this.#publishStored(session));
  }

  /** A batch that is shown is on disk; when the disk fails, the turn says so, and that is shown too. */
  async #publishStored(session: OpenSession): Promise<void> {
    const { state } = session.feed;
    await session.run?.durable().catch(() => undefined);
    this.#publishing.delete(session);
    this.publish(session, state);
    if (session.feed.state !== state) this.publishSoon(session);
  }

  publish(session: OpenSession, state = session.feed.state): void {
    const { get, set } = this.#needs;
    if (session !== this.#now) return;
    const shown = get();
    if (
      shown.session.eventCount > state.eventCount &&
      shown.session.sessionId === state.sessionId &&
      shown.currentId === session.id
    )
      return;
    const isNew = shown.session !== state;
    set({
      session: state,
      runner: session.runner,
      ...(isNew ? { rows: sameRows(shown.rows, chatRows(state, shown.openIds)) } : {}),
      ...(isNew && state.status !== "running" ? { alwaysAllowed: allowedTools(session.feed.events) } : {}),
    });
  }
}
