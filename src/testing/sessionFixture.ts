import { bindAgent, defineAgent, type AgentDefinition, type BoundAgent } from "../agent";
import { seededRandom, sha256HexSync } from "../base";
import { tempFs, type FileSystem, type SnapshotTree } from "../fs";
import type { LanguageModelV4 } from "../model";
import {
  runTurn,
  sessionIdsAt,
  startSession,
  type SessionEvent,
  type TurnOptions,
  type TurnServices,
} from "../session";
import type { Tool } from "../tools";

type RunTurnOptions = Parameters<typeof runTurn>[0];

export const FIXTURE_SEED = "seed";

/** A clock that moves a second whenever it is read. */
export function tickingClock(startMs = Date.UTC(2026, 0, 1)): () => number {
  let now = startMs;
  return () => (now += 1_000);
}

export interface SessionFixture {
  readonly bound: BoundAgent;
  readonly tree: FileSystem;
  /** The log so far; `run` adds to it. */
  readonly events: SessionEvent[];
  readonly services: TurnServices;
  /** Texts stored by hash. */
  readonly blobs: ReadonlyMap<string, string>;
  /** The trees calls left behind. */
  readonly kept: readonly SnapshotTree[];
  /** How many events were on disk whenever the loop asked for it. */
  readonly durableAt: readonly number[];
  /** Runs one turn to its end, each event put into the log as it comes. */
  run(message: string, more?: Partial<RunTurnOptions>): Promise<SessionEvent[]>;
  /** Takes events from any source into the log. */
  take(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]>;
  options(more?: Partial<TurnOptions>): TurnOptions;
}

export interface FixtureOptions {
  readonly model: LanguageModelV4;
  readonly files?: Record<string, string | Uint8Array>;
  readonly tree?: FileSystem;
  /** A field that is undefined takes out the fixture's own. */
  readonly definition?: { readonly [Field in keyof AgentDefinition]?: AgentDefinition[Field] | undefined };
  readonly authoredTools?: readonly Tool[];
  readonly services?: Partial<TurnServices>;
  readonly dryRun?: boolean;
  readonly asOf?: string;
  readonly task?: { readonly sessionId: string; readonly callId: string };
  readonly clock?: () => number;
}

/** A session on a tree in memory, its log in an array. */
export async function sessionFixture(options: FixtureOptions): Promise<SessionFixture> {
  const clock = options.clock ?? tickingClock();
  const tree = options.tree ?? tempFs(options.files ?? { "/notes.md": "one\ntwo\n" }, { now: () => 0 });
  const definition = defineAgent({ name: "tester", instructions: "Do as told.", root: tree, ...options.definition });
  const bound = await bindAgent(definition, tree, { authoredTools: options.authoredTools ?? [] });
  const blobs = new Map<string, string>();
  const kept: SnapshotTree[] = [];
  const durableAt: number[] = [];
  const ids = sessionIdsAt(FIXTURE_SEED, 0, clock);
  const events = startSession({
    seed: FIXTURE_SEED,
    ids,
    clock,
    agentId: "tester",
    definition: { name: "tester", instructions: "Do as told." },
    definitionHash: "0".repeat(64),
    model: { kind: "scripted" },
    tools: [],
    mounts: [],
    snapshot: "0".repeat(64),
    ...(options.dryRun === undefined ? {} : { dryRun: options.dryRun }),
    ...(options.asOf === undefined ? {} : { asOf: options.asOf }),
    ...(options.task === undefined ? {} : { task: options.task }),
  });
  const services: TurnServices = {
    model: options.model,
    ids,
    clock,
    random: seededRandom(FIXTURE_SEED),
    blobs: {
      put(text) {
        const hash = sha256HexSync(text);
        blobs.set(hash, text);
        return Promise.resolve(hash);
      },
    },
    durable() {
      durableAt.push(events.length);
      return Promise.resolve();
    },
    keep(after) {
      kept.push(after);
      return Promise.resolve();
    },
    wait: () => Promise.resolve(),
    ...options.services,
  };
  const turnOptions = (more: Partial<TurnOptions> = {}): TurnOptions => ({
    bound,
    events: [...events],
    signal: new AbortController().signal,
    services,
    ...more,
  });
  const take = async (source: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> => {
    const taken: SessionEvent[] = [];
    for await (const event of source) {
      events.push(event);
      taken.push(event);
    }
    return taken;
  };
  const run = (message: string, more: Partial<RunTurnOptions> = {}) =>
    take(runTurn({ ...turnOptions(), ...more, message }));
  return { bound, tree, events, services, blobs, kept, durableAt, run, take, options: turnOptions };
}

/** An event on one line for whole-output expectations: its type and what tells it from its like. */
export function eventLine(event: SessionEvent): string {
  const { type, data } = event;
  switch (type) {
    case "message.received":
    case "message.completed":
      return `${type} ${JSON.stringify(data.message)}${"finishReason" in data ? ` ${data.finishReason}` : ""}`;
    case "message.appended":
      return `${type} ${JSON.stringify(data.messageDelta)}`;
    case "reasoning.appended":
      return `${type} ${JSON.stringify(data.reasoningDelta)}`;
    case "reasoning.completed":
      return `${type} ${JSON.stringify(data.reasoning)}`;
    case "action.input.appended":
      return `${type} ${data.callId} ${data.toolName} ${data.inputTextDelta}`;
    case "actions.requested":
      return `${type} ${data.actions.map((action) => `${action.callId} ${action.toolName}`).join(", ")}`;
    case "action.result":
      return `${type} ${data.result.callId} ${data.status}${data.error ? ` ${data.error.code}: ${data.error.message}` : ""}`;
    case "input.requested":
      return `${type} ${data.requests.map((request) => request.requestId).join(", ")}`;
    case "input.resolved":
      return `${type} ${data.resolutions.map(({ requestId, outcome }) => `${requestId} ${outcome}`).join(", ")}`;
    case "step.retried":
      return `${type} ${data.attempt} ${data.code}`;
    case "step.completed":
      return `${type} ${data.finishReason}`;
    case "step.failed":
    case "turn.failed":
      return `${type} ${data.code}: ${data.message}`;
    default:
      return type;
  }
}
