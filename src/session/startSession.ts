import type { Clock, Ids, JsonObject } from "../base";
import { eventStamp, sessionIdFromSeed } from "./eventStamp";
import {
  EVENT_STREAM_VERSION,
  PLAYGROUND_SCHEMA,
  type EventData,
  type RecordedMount,
  type SessionEvent,
} from "./sessionEvent";
import type { OfferedTool } from "./offeredTool";

export interface StartSessionOptions {
  readonly seed: string;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly agentId: string;
  readonly agentName?: string;
  readonly definition: JsonObject;
  readonly definitionHash: string;
  /** The model and its settings, keys aside. */
  readonly model: JsonObject;
  readonly tools: readonly OfferedTool[];
  readonly mounts: readonly RecordedMount[];
  /** Root hash of the tree as it is now; the driver keeps that tree. */
  readonly snapshot: string;
  /** The time the model is told, ISO-8601; it is told none when left out. A recording made again is given that of the first. */
  readonly startedAt?: string;
  readonly dryRun?: boolean;
  readonly asOf?: string;
  readonly assigned?: EventData["ab.assigned"];
  /** The call of a parent session that a subagent's session works for. */
  readonly task?: { readonly sessionId: string; readonly callId: string };
  /** The session this one goes on from. */
  readonly predecessor?: string;
}

/** The first events of a session; its id is `sessionIdFromSeed(seed)`. */
export function startSession(options: StartSessionOptions): SessionEvent[] {
  const stamp = eventStamp(options.ids, options.clock);
  const started = stamp({ type: "session.started", data: startedData(options) });
  return options.assigned === undefined ? [started] : [started, stamp({ type: "ab.assigned", data: options.assigned })];
}

function startedData(options: StartSessionOptions): EventData["session.started"] {
  return {
    runtime: {
      agentId: options.agentId,
      ...(options.agentName === undefined ? {} : { agentName: options.agentName }),
      eveVersion: EVENT_STREAM_VERSION,
    },
    ...(options.predecessor === undefined ? {} : { predecessor: { sessionId: options.predecessor } }),
    playground: {
      schema: PLAYGROUND_SCHEMA,
      sessionId: sessionIdFromSeed(options.seed),
      definition: options.definition,
      definitionHash: options.definitionHash,
      model: options.model,
      tools: options.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      mounts: options.mounts,
      snapshot: options.snapshot,
      seed: options.seed,
      ...(options.startedAt === undefined ? {} : { startedAt: options.startedAt }),
      ...(options.dryRun === undefined ? {} : { dryRun: options.dryRun }),
      ...(options.asOf === undefined ? {} : { asOf: options.asOf }),
      ...(options.task === undefined ? {} : { task: options.task }),
    },
  };
}
