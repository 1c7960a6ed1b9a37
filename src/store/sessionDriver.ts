import { limits } from "../base";
import type { SnapshotTree } from "../fs";
import type { InputResolution, SessionEvent } from "../session";
import type { MadeFork } from "./forkSessionState";
import type { ForkPlace } from "./forkSessionPlace";
import { noticeFromError } from "./noticeFromError";
import { OpenSession } from "./openSession";
import { resolutionFromAnswer } from "./sessionApproval";
import { newSessionRecord, type SessionRecords } from "./sessionRecords";
import { projectPlace, type SessionPlace } from "./sessionPlace";
import type { PersonChange } from "./personChanges";
import type { RunChoices, SessionRun } from "./sessionRun";
import { seldom } from "./seldom";
import { ShownSession } from "./shownSession";
import type { ApprovalAnswer, SessionStoreState } from "./sessionStoreState";
import type { WorkbenchCore } from "./workbenchCore";

/** Loaded with the first run: the page is there before the loop, the agents and the tools are. */
const loopOnDemand = () => import("./sessionRun");

export interface DriverNeeds {
  readonly core: WorkbenchCore;
  readonly records: SessionRecords;
  readonly get: () => SessionStoreState;
  readonly set: (patch: Partial<SessionStoreState>) => void;
}

/**
 * Runs the turns of sessions and says which is shown. Every event goes to the session's log and to its fold.
 */
export class SessionDriver {
  readonly #needs: DriverNeeds;
  readonly #place: SessionPlace;
  /** Sessions that run here, and the one that is shown. */
  readonly #open = new Map<string, OpenSession>();
  readonly #shown: ShownSession;
  #beginning: Promise<OpenSession> | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;
  readonly #stopListening: () => void;
  #isDisposed = false;

  constructor(needs: DriverNeeds) {
    this.#needs = needs;
    this.#place = projectPlace(needs.core);
    const { core, get, set } = needs;
    this.#shown = new ShownSession({ scheduleFrame: (callback) => core.services.scheduleFrame(callback), get, set });
    this.#stopListening = needs.core.mounts.getState().onPersonChange((change) => {
      for (const session of this.#open.values()) void this.#personChanged(session, change);
    });
  }

  events(): readonly SessionEvent[] {
    return this.#shown.now?.feed.events ?? [];
  }

  /** Resolves when every event of a session that runs here is on disk. */
  async durable(sessionId: string): Promise<void> {
    await this.#open.get(sessionId)?.run?.durable();
  }

  async send(message: string): Promise<void> {
    const text = message.trim();
    if (text === "") return;
    if (this.#lacksModel()) {
      this.#keepDraft(message);
      return;
    }
    try {
      // What the run goes by: an agent changed a moment ago, and kept before its first event is, such as the model.
      const saving = this.#needs.core.saveTyped?.();
      if (saving) await saving;
      void this.#needs.core.project.getState().flush();
      const session = this.#shown.now ?? (await this.#begin(text));
      this.#interrupt(session);
      await this.#run(session, (run) => run.runMessage(text, this.#choices()));
    } catch (error) {
      this.#report("The message was not sent", error);
      this.#keepDraft(message);
    }
  }

  /** A message that was not sent is put back where it was written, unless something else stands there by now. */
  #keepDraft(message: string): void {
    const project = this.#needs.core.project.getState();
    if (project.draft === "") project.setDraft(message);
  }

  /** Whether nothing could answer; then a person is told, with the way to name a model. */
  #lacksModel(): boolean {
    const { core, set } = this.#needs;
    const { model } = core.project.getState();
    if (model.kind === "demo" || model.modelId.trim() !== "") return false;
    core.notices.getState().push({
      tone: "warn",
      text: "The message was not sent: no model is named for the server that should answer.",
      action: { label: "Choose a model", run: () => set({ asksForModel: true }) },
    });
    return true;
  }

  /** Stops the turn of the shown session, whether it runs or waits for a person. */
  stop(): void {
    const session = this.#shown.now;
    if (session === undefined) return;
    if (session.run === undefined && session.feed.state.status === "input") void this.#endParked(session);
    else this.#interrupt(session);
  }

  async #endParked(session: OpenSession): Promise<void> {
    this.#needs.set({ stopping: true });
    try {
      await this.#run(session, (run) => run.interrupt());
    } catch (error) {
      if (session === this.#shown.now) this.#needs.set({ stopping: false });
      this.#report("The waiting turn was not ended", error);
    }
  }

  async answer(callId: string, answer: ApprovalAnswer): Promise<void> {
    const session = this.#shown.now;
    const request = session?.feed.state.pendingRequests.find((pending) => pending.action.callId === callId);
    if (session === undefined || request === undefined) return;
    const resolutions: InputResolution[] = [resolutionFromAnswer(request, answer)];
    if (answer.kind === "always") {
      const others = session.feed.state.pendingRequests.filter(
        (pending) => pending !== request && pending.action.toolName === request.action.toolName,
      );
      resolutions.push(...others.map((pending) => resolutionFromAnswer(pending, { kind: "approve" })));
    }
    try {
      await this.#run(session, (run) => run.answer(resolutions, this.#choices()));
    } catch (error) {
      this.#report("The answer was not taken", error);
    }
  }

  /** The same conversation up to a turn, as a session of its own, and `message` as its next turn. */
  async sendAgain(turnId: string, message: string): Promise<void> {
    const from = this.#shown.now;
    if (from === undefined || this.#lacksModel()) return;
    this.#interrupt(from);
    await from.work;
    const { events } = from.feed;
    const end = events.findIndex((event) => event.type === "turn.started" && event.data.turnId === turnId);
    if (end < 0) return;
    if (from.isFork) return await this.#forkAgain(from.id, turnId, message.trim());
    const earlier = events
      .slice(0, end)
      .filter((event) => event.type !== "session.started" && event.type !== "ab.assigned");
    const snapshot = from.feed.state.started?.playground?.snapshot;
    try {
      const session = await this.#create(message, {
        earlier,
        predecessor: { sessionId: from.id, ...(snapshot === undefined ? {} : { snapshot }) },
      });
      await this.#run(session, (run) => run.runMessage(message.trim(), this.#choices()));
    } catch (error) {
      this.#report("The message was not sent again", error);
    }
  }

  /** Of a fork the same is a fork again: it stays on its own files. */
  async #forkAgain(sessionId: string, turnId: string, message: string): Promise<void> {
    try {
      const { forkWithMessage } = await import("./forkSessionMake");
      await this.takeFork(await forkWithMessage(this.#needs.core, sessionId, turnId, message));
    } catch (error) {
      this.#report("The message was not sent again", error);
    }
  }

  /** The tree the shown session stands on where that is not the mounts'. @throws UnavailableError */
  async ownTree(): Promise<SnapshotTree | undefined> {
    const session = this.#shown.now;
    if (session?.isFork !== true) return undefined;
    const { forkTree } = await import("./forkSessionPlace");
    return await forkTree(this.#needs.core, session.feed);
  }

  /** Shows a fork that was stored, and lets it go on. */
  async takeFork({ sessionId, events, next, recording }: MadeFork): Promise<void> {
    this.#letGo();
    const session = new OpenSession(sessionId);
    session.recording = recording;
    for (const event of events) session.feed.add(event);
    this.#show(session);
    await this.#needs.records.refresh();
    if (next.kind === "wait") return;
    const choices = this.#choices();
    this.#run(session, (run) =>
      next.kind === "send" ? run.runMessage(next.message, choices) : run.goOn(choices),
    ).catch((error: unknown) => this.#report("The fork did not go on", error));
  }

  async open(sessionId: string): Promise<void> {
    if (this.#shown.now?.id === sessionId) return;
    this.#letGo();
    const running = this.#open.get(sessionId);
    const session = running ?? new OpenSession(sessionId);
    this.#show(session);
    if (running === undefined) await this.#pull(session);
  }

  startNew(): void {
    this.#letGo();
    this.#shown.showNone();
  }

  /** Shows the session a person last worked in, unless they have begun something else. */
  async reopen(): Promise<void> {
    await this.#needs.records.refresh();
    const own = this.#needs.get().sessions.filter((record) => record.origin === "live" || record.origin === "fork");
    const [last] = own.toSorted((a, b) => b.updatedAt - a.updatedAt);
    if (last !== undefined && this.#shown.now === undefined && this.#beginning === undefined && !this.#isDisposed)
      await this.#reopen(last.id);
  }

  /** What was written right before the page went away may not have come to the log. */
  async #reopen(sessionId: string): Promise<void> {
    await this.open(sessionId);
    const session = this.#shown.now;
    if (session?.id === sessionId && session.run === undefined)
      await this.#withIdle(session, (run) => run.tellReload());
  }

  /** The log of the shown session grew, here or in another tab. */
  logChanged(sessionId: string): void {
    const session = this.#shown.now;
    if (session?.id === sessionId && session.run === undefined) void this.#pull(session);
  }

  /** What is open changed: rows fold and unfold by it. */
  refold(): void {
    this.#shown.refold();
  }

  /** Ends whatever a session does here and lets it go; resolves when its log is written no more. */
  async close(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    if (session === this.#shown.now && session !== undefined) this.startNew();
    session?.closing.abort();
    session?.run?.stop();
    await session?.work;
  }

  /** Stops every run; resolves when their last events are on disk. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#stopListening();
    clearTimeout(this.#poll);
    const open = [...this.#open.values()];
    for (const session of open) {
      session.closing.abort();
      session.run?.stop();
    }
    await Promise.all(open.map((session) => session.work));
  }

  #choices(): RunChoices {
    const { asksBeforeWrites, dryRun, asOf } = this.#needs.get();
    return { asksBeforeWrites, dryRun, ...(asOf === undefined ? {} : { asOf }) };
  }

  #begin(message: string): Promise<OpenSession> {
    this.#beginning ??= this.#create(message, {}).finally(() => (this.#beginning = undefined));
    return this.#beginning;
  }

  async #create(
    message: string,
    {
      earlier = [],
      predecessor,
    }: {
      readonly earlier?: readonly SessionEvent[];
      readonly predecessor?: { readonly sessionId: string; readonly snapshot?: string };
    },
  ): Promise<OpenSession> {
    const { core, records } = this.#needs;
    const { newSessionEvents } = await loopOnDemand();
    const { sessionId, events } = await newSessionEvents(
      core,
      this.#place,
      this.#choices(),
      predecessor === undefined ? {} : { after: predecessor },
    );
    await core.storage.createSession({ ...newSessionRecord(sessionId, message, core.services.clock()), eventCount: 0 });
    await core.storage.log(sessionId).append([...events, ...earlier]);
    const session = new OpenSession(sessionId);
    session.untold.isWatched = true;
    for (const event of [...events, ...earlier]) session.feed.add(event);
    this.#letGo();
    this.#show(session);
    await records.refresh();
    return session;
  }

  #show(session: OpenSession): void {
    this.#open.set(session.id, session);
    this.#shown.show(session);
  }

  /** Leaves the shown session; one that runs here goes on. */
  #letGo(): void {
    const session = this.#shown.now;
    clearTimeout(this.#poll);
    if (session === undefined || session.run !== undefined) return;
    session.closing.abort();
    this.#place.showScratch?.(session.id, undefined);
    this.#open.delete(session.id);
  }

  #interrupt(session: OpenSession): void {
    if (session.run === undefined) return;
    if (session === this.#shown.now) this.#needs.set({ stopping: true });
    session.run.stop();
  }

  /** Does something with the session's lock held, after whatever else is done with it. @throws what the work throws */
  async #run(session: OpenSession, work: (run: SessionRun) => Promise<unknown>): Promise<void> {
    const before = session.work;
    const mine = (async () => {
      await before;
      const { core, records } = this.#needs;
      const { lockedRun } = await loopOnDemand();
      const changed = () => this.#shown.publishSoon(session);
      const at = await this.#placeOf(session);
      const run = await lockedRun(at.core, at.place, session.id, session.feed, changed, session.untold, session.kept);
      if (run === undefined) {
        await at.close();
        this.#shown.publish(session);
        throw new Error("Another tab runs this session. Stop it there, or begin a new one here.");
      }
      session.run = run;
      if (this.#isDisposed || session.closing.signal.aborted) run.stop();
      this.#shown.publish(session);
      try {
        await work(run);
      } finally {
        await this.#end(session, run);
        await at.close();
        await core.storage.updateSession(session.id, { status: session.feed.state.status });
        await records.refresh();
      }
    })();
    session.work = mine.catch(() => undefined);
    await mine;
  }

  /** A fork runs on files of its own, every other session on the project's. */
  async #placeOf(session: OpenSession): Promise<ForkPlace> {
    const { core } = this.#needs;
    if (!session.isFork) return { core, place: this.#place, close: () => Promise.resolve() };
    const { forkSessionPlace } = await import("./forkSessionPlace");
    return await forkSessionPlace(core, session);
  }

  /** A person's change goes to the log when it is stored: in order with a turn that runs, else at once. */
  async #personChanged(session: OpenSession, change: PersonChange): Promise<void> {
    if (session.isFork) return;
    await session.untold.add(change);
    if (session.run !== undefined) await session.run.tellChanges();
    else await this.#withIdle(session, (run) => (session.untold.isEmpty ? undefined : run.tellChanges()));
  }

  /** Does something to the log of a session that nobody runs. A log from elsewhere, or of a copy, is not of this tree. */
  async #withIdle(session: OpenSession, work: (run: SessionRun) => Promise<void> | undefined): Promise<void> {
    const { core, get } = this.#needs;
    const isOfThisTree = () => get().sessions.some(({ id, origin }) => id === session.id && origin === "live");
    const before = session.work;
    session.work = (async () => {
      await before;
      if (!isOfThisTree() || session.feed.state.status === "running") return;
      const { lockedRun } = await loopOnDemand();
      const run = await lockedRun(core, this.#place, session.id, session.feed, () => undefined, session.untold);
      // Another tab runs it: its log is told at the next message here.
      if (run === undefined) return;
      try {
        await work(run);
      } finally {
        await run.release();
      }
      this.#shown.publish(session);
    })().catch((error: unknown) => this.#report("What was changed is not in the session's log", error));
    await session.work;
  }

  async #end(session: OpenSession, run: SessionRun): Promise<void> {
    try {
      await run.release();
    } catch (error) {
      this.#report("The end of the session's log is not saved", error);
    }
    session.run = undefined;
    if (!session.untold.isEmpty) void this.#withIdle(session, (idle) => idle.tellChanges());
    if (session === this.#shown.now) {
      this.#needs.set({ stopping: false });
      this.#shown.publish(session);
    } else this.#open.delete(session.id);
  }

  /** Reads what the log holds beyond what is here, and mends it when the tab that wrote it is gone. */
  async #pull(session: OpenSession): Promise<void> {
    const { core, set } = this.#needs;
    const before = session.work;
    session.work = (async () => {
      await before;
      if (session.feed.events.length === 0) set({ loading: { events: 0 } });
      const log = core.storage.log(session.id);
      const publish = seldom(() => this.#shown.publish(session));
      await session.feed.addAll(log.read(session.feed.events.length), session.closing.signal, publish);
    })().catch((error: unknown) => this.#report("The session cannot be read", error));
    await session.work;
    if (session !== this.#shown.now) return;
    const { dryRun = false, asOf } = session.feed.state.started?.playground ?? {};
    set({ loading: undefined, dryRun, asOf });
    this.#shown.publish(session);
    if (session.feed.state.status === "running" && session.run === undefined) await this.#mend(session);
  }

  /** A log that says "running" while no tab holds its lock was cut by a crash or a closed tab. */
  async #mend(session: OpenSession): Promise<void> {
    let mended = false;
    try {
      await this.#run(session, async (run) => (mended = await run.recover()));
    } catch {
      // Another tab has it: it is watched, and looked at again.
      clearTimeout(this.#poll);
      this.#poll = setTimeout(() => {
        if (session === this.#shown.now && session.run === undefined && session.feed.state.status === "running")
          void this.#mend(session);
      }, limits.lockPollMs);
    }
    if (mended) {
      this.#needs.core.notices.getState().push({
        tone: "warn",
        text: "The page was closed while this session ran. Everything up to then is here, and the session is ready to go on.",
      });
    }
  }

  #report(what: string, error: unknown): void {
    this.#needs.core.notices.getState().push(noticeFromError(what, error));
  }
}
