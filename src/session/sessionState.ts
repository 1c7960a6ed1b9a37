import type { JsonObject } from "../base";
import { ItemTable } from "./itemTable";
import type { EventData, InputRequest, RecordedMount, Usage } from "./sessionEvent";
import { StateList } from "./stateList";

/**
 * What the views show of a session: a fold over its log and nothing else, the same for a live, a replayed and an imported
 * one. Immutable; lists subscribe to `itemIds`, rows to `items.get(id)`, which is the same object until that row changes.
 */
export interface SessionState {
  /** Empty before `session.started`, and for imports that do not name it. */
  readonly sessionId: string;
  readonly started?: EventData["session.started"];
  readonly assigned?: EventData["ab.assigned"];
  /** `new`: nothing said yet · `input`: a person must answer · `ready`: waits for a message · `ended`: takes none. */
  readonly status: "new" | "running" | "input" | "ready" | "ended";
  readonly eventCount: number;
  readonly itemIds: StateList<string>;
  readonly items: ItemTable;
  readonly turns: StateList<TurnState>;
  readonly steps: StateList<StepState>;
  /** Sums over the steps; a figure some step did not report is absent: unknown. */
  readonly usage: Usage;
  /** `calls` is all that have a row; `stubbed` are those a dry run stood in for; those neither ended nor stubbed are being written, running or waiting. */
  readonly counts: {
    readonly calls: number;
    readonly ok: number;
    readonly stubbed: number;
    readonly failed: number;
    readonly rejected: number;
    readonly running: number;
  };
  /** Milliseconds in which turns ran, waiting for a person left out. */
  readonly wallTimeMs: number;
  /** Requests a person has yet to answer. */
  readonly pendingRequests: readonly InputRequest[];
  /** The token that continues this session, once it waits. */
  readonly continuationToken?: string;
  /** The fold's own memory; not for views. */
  readonly fold: FoldMemory;
}

export interface TurnState {
  readonly id: string;
  /** ISO-8601 */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly status: "running" | "waiting" | "completed" | "failed" | "cancelled";
  /** Why it failed. */
  readonly code?: string;
  readonly message?: string;
  readonly stepIds: StateList<string>;
}

export interface StepState {
  /** `turn_0/0` */
  readonly id: string;
  readonly turnId: string;
  readonly stepIndex: number;
  readonly modelId: string;
  readonly request?: { readonly hash: string; readonly blob: string };
  /** ISO-8601 */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly finishReason?: string;
  /** Absent: unknown. */
  readonly usage?: Usage;
  readonly failed?: { readonly code: string; readonly message: string };
  readonly callIds: readonly string[];
  readonly retries: number;
  /** Index of its first event. */
  readonly firstEvent: number;
}

export interface FoldMemory {
  /** The text and the reasoning blocks that are being written. */
  readonly openText?: string;
  readonly openReasoning?: string;
  /** Calls without a result. */
  readonly openCalls: readonly string[];
  /** The agent since it was last changed. */
  readonly definition?: JsonObject;
  /** The mount table since it was last changed. */
  readonly mounts?: readonly RecordedMount[];
  /** The last row that tells of mounts, and the table it began with: it goes on while no other row comes. */
  readonly mountsNote?: {
    readonly id: string;
    readonly before?: readonly RecordedMount[];
    readonly change: EventData["tree.changed"];
  };
  /** Steps whose usage was told or is known to be unknown. */
  readonly closedSteps: number;
  /** When the last event of a running turn happened, in milliseconds. */
  readonly ranUntil?: number;
}

export const initialSessionState: SessionState = {
  sessionId: "",
  status: "new",
  eventCount: 0,
  itemIds: StateList.empty,
  items: ItemTable.empty,
  turns: StateList.empty,
  steps: StateList.empty,
  usage: {},
  counts: { calls: 0, ok: 0, stubbed: 0, failed: 0, rejected: 0, running: 0 },
  wallTimeMs: 0,
  pendingRequests: [],
  fold: { openCalls: [], closedSteps: 0 },
};
