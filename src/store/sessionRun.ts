import { seededRandom, type JsonObject } from "../base";
import { bindAgent, defineAgent, definitionHash, definitionJson, type BoundAgent } from "../agent";
import type { SnapshotTree } from "../fs";
import type { ModelSettings } from "../model";
import {
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
import { todoList, type Todo } from "../tools";
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
  const { asOf } = choices;
  const bound = await boundAgent(services, place, asOf === undefined ? {} : { asOf });
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
 * what a person does to the tree, filled while the session is open.
 */
export async function lockedRun(
  core: RunCore,
  place: SessionPlace,
  sessionId: string,
  feed: SessionFeed,
  changed: (event: SessionEvent) => void,
  untold = new UntoldChanges(),
): Promise<SessionRun | undefined> {
  const unlock = await core.storage.lockSession(sessionId);
  if (unlock === undefined) return undefined;
  const log = core.storage.log(sessionId);
  // Another tab may have written since this one last looked.
  await feed.addAll(log.read(feed.events.length));
  const writer = createLogWriter(log);
  const abort = new AbortController();
  const seed = seedOf(feed);
  const ids = sessionIdsAt(seed, feed.events.length, core.services.clock);
  const stamp = eventStamp(ids, core.services.clock);
  const tell = (data: EventData["tree.changed"]) => add(stamp({ type: "tree.changed", data }));
  const teller = new SessionTreeTeller({ storage: core.storage, place, feed, untold, tell });
  const add = (event: SessionEvent) => {
    teller.follow(event);
    writer.append(event);
    feed.add(event);
    changed(event);
  };
  const drive = async (turn: (options: TurnOptions) => AsyncIterable<SessionEvent>, choices: RunChoices) => {
    const bound = await boundAgent(core.services, place, sessionOf(feed));
    const definition = definitionHash(bound.definition);
    await teller.tellAll();
    if (lastDefinitionHash(feed) !== definition) {
      add(
        stamp({
          type: "agent.changed",
          data: { definitionHash: definition, definition: definitionJson(bound.definition) },
        }),
      );
    }
    const settings = place.model();
    const options: TurnOptions = {
      bound,
      events: feed.events.slice(),
      signal: abort.signal,
      approvals: choices.asksBeforeWrites ? "writes" : "never",
      treeForCall: (observe) => place.liveTree(observe),
      personChanges: { take: () => teller.known(), covers: (path) => untold.covers(path) },
      callSettings: callSettings(settings, place.callSeed),
      services: {
        model: await core.services.createModel(settings),
        ids,
        clock: core.services.clock,
        random: seededRandom(`${seed}/retries/${feed.events.length}`),
        blobs: core.storage.blobs,
        durable: () => writer.durable(),
        keep: (after, changes) => keepContents(core, after, changes),
        scrub: (text) => core.services.keyring.scrub(text),
      },
    };
    for await (const event of turn(options)) {
      await teller.settled();
      add(event);
      await teller.tellKnown();
    }
    await writer.durable();
  };
  return {
    sessionId,
    feed,
    durable: () => writer.durable(),
    async runMessage(message, choices) {
      await place.beginRun();
      await drive((options) => runTurn({ ...options, message }), choices);
    },
    async answer(resolutions, choices) {
      await drive((options) => resumeTurn({ ...options, resolutions }), choices);
    },
    async interrupt() {
      for (const event of interruptTurn({ events: feed.events, ids, clock: core.services.clock })) add(event);
      await writer.durable();
    },
    tellChanges: () => teller.tellKnown(),
    async tellReload() {
      await teller.tellKept();
      await writer.durable();
    },
    async recover() {
      const now = await place.currentSnapshot();
      const start = await teller.start();
      const changes = start === undefined ? [] : sessionTreeChanges(feed.events, start, now);
      const mending = recoverSession({ events: feed.events, ids, clock: core.services.clock, changes });
      if (mending.some((event) => event.type === "action.result")) await keepContents(core, now, changes);
      for (const event of mending) add(event);
      // What no cut call can have done.
      await teller.tellKept();
      await writer.durable();
      return mending.length > 0;
    },
    stop: () => abort.abort(),
    async release() {
      try {
        await teller.end();
        await writer.close();
      } finally {
        unlock();
      }
    },
  };
}

/** What a session's later turns keep of it. */
interface BoundSession {
  readonly sessionId?: string;
  readonly asOf?: string;
  readonly todos?: readonly Todo[];
}

function sessionOf(feed: SessionFeed): BoundSession {
  const { sessionId, asOf } = feed.state.started?.playground ?? {};
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(asOf === undefined ? {} : { asOf }),
    todos: lastTodos(feed.events),
  };
}

/** The place's agent on its mounts as they are. @throws DiscoveryError */
async function boundAgent(
  { clock }: RunCore["services"],
  place: SessionPlace,
  { todos = [], ...session }: BoundSession,
): Promise<BoundAgent> {
  // Whether writes ask is the person's choice for a turn, not what the agent is.
  const { approvals: _choice, ...agent } = place.agent();
  const tree = place.liveTree();
  return bindAgent(defineAgent({ ...agent, root: tree }), tree, {
    mounts: place.mounts().map(({ prefix, readOnly }) => ({ prefix, readOnly })),
    todos: todoList(todos),
    now: clock,
    ...session,
  });
}

function lastTodos(events: readonly SessionEvent[]): readonly Todo[] {
  const last = events.findLast(
    (event) =>
      event.type === "action.result" && event.data.toolName === "updateTodos" && event.data.status === "completed",
  );
  if (last?.type !== "action.result") return [];
  const { output } = last.data.result;
  const todos =
    output !== null && typeof output === "object" && !Array.isArray(output)
      ? (output as JsonObject)["todos"]
      : undefined;
  return Array.isArray(todos) ? todos : [];
}

/** The settings as a log keeps them: they hold no key. */
function modelJson(settings: ModelSettings): JsonObject {
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
  for (const { path, after } of changes) {
    const file = after === undefined ? undefined : tree.file(path);
    if (file !== undefined) await storage.blobs.put(await file.bytes());
  }
}
