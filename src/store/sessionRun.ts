import { limits, seededRandom, type Ids, type JsonObject } from "../base";
import { definitionHash, definitionJson, type BoundAgent } from "../agent";
import type { SnapshotTree } from "../fs";
import type { ModelSettings } from "../model";
import {
  continueTurn,
  eventStamp,
  interruptTurn,
  recoverSession,
  resumeTurn,
  runTurn,
  sessionIdFromSeed,
  sessionIdsAt,
  startSession,
  type EventData,
  type FileChange,
  type InputResolution,
  type SessionEvent,
  type TurnOptions,
} from "../session";
import { createLogWriter } from "../storage";
import { boundAgent, boundSessionFromFeed, type KeptBinding } from "./boundAgent";
import { heldPlace, type HeldPlace } from "./heldPlace";
import type { SessionFeed } from "./sessionFeed";
import { SessionTreeTeller, UntoldChanges } from "./sessionTreeTeller";
import { sessionTreeChanges } from "./sessionTreeChanges";
import type { SessionPlace } from "./sessionPlace";
import type { WorkbenchCore } from "./workbenchCore";

/** What every run leans on, wherever it runs. */
export type RunCore = Pick<WorkbenchCore, "services" | "storage">;

/** How a person wants the next turn run. */
export interface RunChoices {
  readonly asksBeforeWrites: boolean;
  readonly dryRun: boolean;
  /** The instant a new session takes for now, ISO-8601 with a zone. */
  readonly asOf?: string;
}

/** A session this tab may write to: its lock is held from `lockedRun` to `release`. */
export interface SessionRun {
  readonly sessionId: string;
  readonly feed: SessionFeed;
  /** Resolves when every event so far is on disk. @throws what the log throws */
  durable(): Promise<void>;
  /** Runs a message as a turn. Ends when the turn does, waits for a person, or is stopped. */
  runMessage(message: string, choices: RunChoices): Promise<void>;
  /** Goes on with a turn that waits. @throws SessionError when nothing waits for these answers */
  answer(resolutions: readonly InputResolution[], choices: RunChoices): Promise<void>;
  /** Goes on with a turn its log ends in the middle of, as a fork begins. @throws SessionError `not-waiting` */
  goOn(choices: RunChoices): Promise<void>;
  /** Ends a turn that waits for a person; its calls are answered as interrupted. */
  interrupt(): Promise<void>;
  /** Tells the log what a person has changed since, unless calls run: then it is told between them. Never throws. */
  tellChanges(): Promise<void>;
  /** Tells the log of a session that is opened with the page whatever differs by now. @throws what storage throws */
  tellReload(): Promise<void>;
  /** Makes a log whole that a crash has cut; answers whether it had to. */
  recover(): Promise<boolean>;
  stop(): void;
  release(): Promise<void>;
}

export interface NewSession {
  /** Fresh when left out. */
  readonly seed?: string;
  /** The experiment's arm it is a run of. */
  readonly assigned?: EventData["ab.assigned"];
  /** The session it goes on from. */
  readonly after?: { readonly sessionId: string; readonly snapshot?: string };
}

/** A session's first events: the agent and the tree as they are now. @throws DiscoveryError, QuotaError, UnavailableError */
export async function newSessionEvents(
  { services, storage }: RunCore,
  place: SessionPlace,
  choices: RunChoices,
  { after, assigned, seed = services.randomSeed() }: NewSession = {},
): Promise<{ sessionId: string; events: SessionEvent[] }> {
  const { asOf, dryRun } = choices;
  const bound = await boundAgent(services, place, { dryRun, ...(asOf === undefined ? {} : { asOf }) });
  const snapshot = after?.snapshot ?? (await storage.saveSnapshot(await place.currentSnapshot()));
  const events = startSession({
    seed,
    ids: sessionIdsAt(seed, 0, services.clock),
    clock: services.clock,
    agentId: storage.id,
    agentName: bound.definition.name,
    definition: definitionJson(bound.definition),
    definitionHash: definitionHash(bound.definition),
    model: modelJson(place.model()),
    tools: bound.tools,
    mounts: place.mounts(),
    snapshot,
    startedAt: new Date(services.clock()).toISOString(),
    ...(choices.dryRun ? { dryRun: true } : {}),
    ...(asOf === undefined ? {} : { asOf }),
    ...(assigned === undefined ? {} : { assigned }),
    ...(after === undefined ? {} : { predecessor: after.sessionId }),
  });
  return { sessionId: sessionIdFromSeed(seed), events };
}

/**
 * Takes a session for this tab; `undefined` while another tab runs it. `changed` is called after every event; `untold` is
 * what a person does to the tree, filled while the session is open; `kept` what its turns leave to the next.
 */
export async function lockedRun(
  core: RunCore,
  place: SessionPlace,
  sessionId: string,
  feed: SessionFeed,
  changed: (event: SessionEvent) => void,
  untold = new UntoldChanges(),
  kept: KeptBinding = {},
): Promise<SessionRun | undefined> {
  const unlock = await core.storage.lockSession(sessionId);
  if (unlock === undefined) return undefined;
  // Another tab may have written since this one last looked.
  await feed.addAll(core.storage.log(sessionId).read(feed.events.length));
  return new LockedSession({ core, place: heldPlace(place), sessionId, feed, changed, untold, kept, unlock });
}

interface LockedSessionNeeds {
  readonly core: RunCore;
  readonly place: HeldPlace;
  readonly sessionId: string;
  /** Everything the log holds by now. */
  readonly feed: SessionFeed;
  readonly changed: (event: SessionEvent) => void;
  readonly untold: UntoldChanges;
  readonly kept: KeptBinding;
  readonly unlock: () => void;
}

class LockedSession implements SessionRun {
  readonly sessionId: string;
  readonly feed: SessionFeed;
  readonly #needs: LockedSessionNeeds;
  readonly #seed: string;
  readonly #ids: Ids;
  readonly #stamp: ReturnType<typeof eventStamp>;
  readonly #writer: ReturnType<typeof createLogWriter>;
  readonly #teller: SessionTreeTeller;
  readonly #abort = new AbortController();

  constructor(needs: LockedSessionNeeds) {
    const { core, place, sessionId, feed, untold } = needs;
    this.sessionId = sessionId;
    this.feed = feed;
    this.#needs = needs;
    this.#seed = seedOf(feed);
    this.#ids = sessionIdsAt(this.#seed, feed.events.length, core.services.clock);
    this.#stamp = eventStamp(this.#ids, core.services.clock);
    this.#writer = createLogWriter(core.storage.log(sessionId));
    const tell = (data: EventData["tree.changed"]) => this.#add(this.#stamp({ type: "tree.changed", data }));
    this.#teller = new SessionTreeTeller({ storage: core.storage, place, feed, untold, tell });
  }

  durable(): Promise<void> {
    return this.#writer.durable();
  }

  async runMessage(message: string, choices: RunChoices): Promise<void> {
    this.#dropScratch();
    await this.#needs.place.beginRun();
    await this.#drive((options) => runTurn({ ...options, message }), choices);
  }

  async answer(resolutions: readonly InputResolution[], choices: RunChoices): Promise<void> {
    await this.#drive((options) => resumeTurn({ ...options, resolutions }), choices);
  }

  async goOn(choices: RunChoices): Promise<void> {
    await this.#drive((options) => continueTurn(options), choices);
  }

  async interrupt(): Promise<void> {
    const { clock } = this.#needs.core.services;
    this.#dropScratch();
    for (const event of interruptTurn({ events: this.feed.events, ids: this.#ids, clock })) this.#add(event);
    await this.#writer.durable();
  }

  tellChanges(): Promise<void> {
    return this.#teller.tellKnown();
  }

  async tellReload(): Promise<void> {
    await this.#teller.tellKept();
    await this.#writer.durable();
  }

  async recover(): Promise<boolean> {
    const { core, place } = this.#needs;
    const { events } = this.feed;
    const now = await place.currentSnapshot();
    const start = await this.#teller.start();
    const changes = start === undefined ? [] : sessionTreeChanges(events, start, now);
    const mending = recoverSession({ events, ids: this.#ids, clock: core.services.clock, changes });
    if (mending.some((event) => event.type === "action.result")) await keepContents(core, now, changes);
    for (const event of mending) this.#add(event);
    // What no cut call can have done.
    await this.#teller.tellKept();
    await this.#writer.durable();
    return mending.length > 0;
  }

  stop(): void {
    this.#abort.abort();
  }

  async release(): Promise<void> {
    try {
      await this.#teller.end();
      await this.#writer.close();
    } finally {
      this.#needs.unlock();
    }
  }

  #add(event: SessionEvent): void {
    this.#teller.follow(event);
    this.#writer.append(event);
    this.feed.add(event);
    this.#needs.changed(event);
  }

  async #drive(turn: (options: TurnOptions) => AsyncIterable<SessionEvent>, choices: RunChoices): Promise<void> {
    const { core, place, kept } = this.#needs;
    const letGo = place.hold();
    try {
      const bound = await boundAgent(core.services, place, boundSessionFromFeed(this.feed), kept);
      place.showScratch?.(this.sessionId, kept.scratch?.tree);
      await this.#teller.tellAll();
      this.#tellAgent(bound);
      for await (const event of turn(await this.#turnOptions(bound, choices))) {
        await this.#teller.settled();
        this.#add(event);
        await this.#teller.tellKnown();
      }
      await this.#writer.durable();
    } finally {
      if (this.feed.state.status !== "input") this.#dropScratch();
      letGo();
    }
  }

  /** The turn is over, and its `/tmp` with it. */
  #dropScratch(): void {
    delete this.#needs.kept.scratch;
    this.#needs.place.showScratch?.(this.sessionId, undefined);
  }

  /** A person may have changed the agent since its last turn. */
  #tellAgent({ definition }: BoundAgent): void {
    const hash = definitionHash(definition);
    if (lastDefinitionHash(this.feed) === hash) return;
    const data = { definitionHash: hash, definition: definitionJson(definition) };
    this.#add(this.#stamp({ type: "agent.changed", data }));
  }

  async #turnOptions(bound: BoundAgent, choices: RunChoices): Promise<TurnOptions> {
    const { core, place, untold } = this.#needs;
    const { services, storage } = core;
    const settings = place.model();
    const events = this.feed.events.slice();
    return {
      bound,
      events,
      signal: this.#abort.signal,
      approvals: choices.asksBeforeWrites ? "writes" : "never",
      treeForCall: (observe) => place.liveTree(observe),
      personChanges: { take: () => this.#teller.known(), covers: (path) => untold.covers(path) },
      callSettings: callSettings(settings, place.callSeed),
      services: {
        model: await services.createModel(settings),
        ids: this.#ids,
        clock: services.clock,
        random: seededRandom(`${this.#seed}/retries/${events.length}`),
        blobs: storage.blobs,
        durable: () => this.#writer.durable(),
        keep: (after, changes) => keepContents(core, after, changes),
        scrub: (text) => services.keyring.scrub(text),
      },
    };
  }
}

/** The settings as a log keeps them: they hold no key. */
export function modelJson(settings: ModelSettings): JsonObject {
  return JSON.parse(JSON.stringify(settings)) as JsonObject;
}

function callSettings(settings: ModelSettings, seed: number | undefined): NonNullable<TurnOptions["callSettings"]> {
  const { temperature, maxOutputTokens } = settings.kind === "demo" ? {} : settings;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Imported logs may have no seed: their id and length then tell this continuation apart. */
function seedOf(feed: SessionFeed): string {
  return feed.state.started?.playground?.seed ?? `imported/${feed.events[0]?.meta.id ?? ""}`;
}

function lastDefinitionHash(feed: SessionFeed): string | undefined {
  const changed = feed.events.findLast((event) => event.type === "agent.changed");
  return changed?.type === "agent.changed"
    ? changed.data.definitionHash
    : feed.state.started?.playground?.definitionHash;
}

/** Stores what the changed files hold now, so that a replay has it whatever happens to the disks. */
async function keepContents({ storage }: RunCore, tree: SnapshotTree, changes: readonly FileChange[]): Promise<void> {
  const keep = async ({ path, after }: FileChange) => {
    const file = after === undefined ? undefined : tree.file(path);
    if (file !== undefined) await storage.blobs.put(await file.bytes());
  };
  for (let from = 0; from < changes.length; from += limits.keptTogetherFiles)
    await Promise.all(changes.slice(from, from + limits.keptTogetherFiles).map(keep));
}
