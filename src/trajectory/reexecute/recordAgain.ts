import { limits } from "../../base";
import type { AgentSession, BoundAgent } from "../../agent";
import type { FileSystem } from "../../fs";
import type { LanguageModelV4 } from "../../model";
import {
  resumeTurn,
  runTurn,
  sessionIdsAt,
  type EventData,
  type InputResolution,
  type SessionEvent,
  type TurnOptions,
  type TurnServices,
} from "../../session";
import type { BlobReader } from "../createReplay";
import { recordedModel } from "./recordedModel";

export interface RecordAgainOptions {
  readonly events: readonly SessionEvent[];
  /** The recorded agent on a fork of the tree the recording began with. */
  readonly bound: BoundAgent | AgentSession;
  /** That fork: what people have changed in mid-session is put into it. */
  readonly tree: FileSystem;
  /** The contents the log names. */
  readonly blobs: BlobReader;
  /** Says again what the recording says where absent. */
  readonly model?: LanguageModelV4;
  readonly signal?: AbortSignal;
  readonly approvals?: "never" | "writes";
  readonly treeForCall?: TurnOptions["treeForCall"];
  readonly callSettings?: TurnOptions["callSettings"];
  readonly services?: Partial<Pick<TurnServices, "blobs" | "durable" | "keep" | "scrub" | "wait">>;
}

/**
 * Runs a recorded session again from its first event, by the same turns: the recording's model speaks, people say and do
 * what they said and did, tools run for real. On the tree it began with the log that comes out is the recorded one line by
 * line but for `meta` and durations (`firstOtherLine`). Events outside of turns are taken over.
 *
 * @throws what `runTurn` throws before its first event. Contents that are not kept are left out.
 */
export async function* recordAgain(options: RecordAgainOptions): AsyncGenerator<SessionEvent, void, undefined> {
  const run = new SecondRecording(options);
  const { events } = options;
  for (let index = 0; index < events.length;) {
    const event = events[index];
    if (event?.type === "turn.started") {
      const end = turnEnd(events, index);
      yield* run.turn(events.slice(index, end));
      index = end;
    } else {
      if (event !== undefined) yield await run.taken(event);
      index++;
    }
  }
}

/** The first line at which two logs differ but for `meta` and durations; `undefined` where they do not. */
export function firstOtherLine(first: readonly SessionEvent[], second: readonly SessionEvent[]): number | undefined {
  const length = Math.max(first.length, second.length);
  for (let index = 0; index < length; index++)
    if (comparableLine(first[index]) !== comparableLine(second[index])) return index;
  return undefined;
}

function comparableLine(event: SessionEvent | undefined): string {
  if (event === undefined) return "";
  return JSON.stringify({ type: event.type, data: event.data }, (key, value: unknown) =>
    key === "durationMs" || key === "meta" ? undefined : value,
  );
}

/** A turn reaches to the event with which its session waits, or to the next turn. */
function turnEnd(events: readonly SessionEvent[], start: number): number {
  for (let index = start + 1; index < events.length; index++) {
    const type = events[index]?.type;
    if (type === "turn.started") return index;
    if (type === "session.waiting") return index + 1;
  }
  return events.length;
}

class SecondRecording {
  readonly #options: RecordAgainOptions;
  readonly #log: SessionEvent[] = [];
  readonly #model: LanguageModelV4;
  readonly #outer: AbortSignal;

  constructor(options: RecordAgainOptions) {
    this.#options = options;
    this.#model = options.model ?? recordedModel(options.events);
    this.#outer = options.signal ?? new AbortController().signal;
  }

  /** An event of nobody's turn: it is as it was, and what it changed is changed. */
  async taken(event: SessionEvent): Promise<SessionEvent> {
    if (event.type === "tree.changed") await this.#put(event.data.changes);
    this.#log.push(event);
    return event;
  }

  async *turn(recorded: readonly SessionEvent[]): AsyncGenerator<SessionEvent, void, undefined> {
    const message = recorded.find((event) => event.type === "message.received");
    const stop = new AbortController();
    const begin = this.#log.length;
    const stopAt = interruptedAt(recorded);
    const base = this.#turnOptions(recorded, begin, stop.signal);
    const workspaceFiles = await this.#seeds(recorded);
    const seeds = Object.keys(workspaceFiles).length === 0 ? {} : { workspaceFiles };
    const text = message?.type === "message.received" ? message.data.message : "";
    yield* this.#events(runTurn({ ...base(), ...seeds, message: text }), stop, begin, stopAt);
    for (const resolutions of answersIn(recorded)) {
      if (this.#log.at(-1)?.type !== "turn.waiting") return;
      yield* this.#events(resumeTurn({ ...base(), resolutions }), stop, begin, stopAt);
    }
  }

  async *#events(
    source: AsyncIterable<SessionEvent>,
    stop: AbortController,
    begin: number,
    stopAt: number | undefined,
  ): AsyncGenerator<SessionEvent, void, undefined> {
    for await (const event of source) {
      this.#log.push(event);
      yield event;
      if (stopAt !== undefined && this.#log.length - begin >= stopAt) stop.abort();
    }
  }

  #turnOptions(recorded: readonly SessionEvent[], begin: number, stop: AbortSignal): () => TurnOptions {
    const { bound, approvals, treeForCall, callSettings, services } = this.#options;
    const start = this.#log.find((event) => event.type === "session.started");
    const seed = start?.type === "session.started" ? (start.data.playground?.seed ?? "") : "";
    const clock = (): number => this.#timeOf(recorded, begin);
    return () => ({
      bound,
      events: [...this.#log],
      signal: AbortSignal.any([this.#outer, stop]),
      ...(approvals === undefined ? {} : { approvals }),
      ...(treeForCall === undefined ? {} : { treeForCall }),
      ...(callSettings === undefined ? {} : { callSettings }),
      personChanges: { take: () => this.#personChanges(recorded, begin), covers: () => false },
      services: {
        blobs: { put: (text) => Promise.resolve(text.length.toString()) },
        durable: () => Promise.resolve(),
        keep: () => Promise.resolve(),
        wait: () => Promise.resolve(),
        ...services,
        model: this.#model,
        ids: sessionIdsAt(seed, this.#log.length, clock),
        clock,
        random: () => this.#recordedChance(recorded, begin),
      },
    });
  }

  /** The time of the recorded event that comes next. */
  #timeOf(recorded: readonly SessionEvent[], begin: number): number {
    const event = recorded[Math.min(this.#log.length - begin, recorded.length - 1)];
    const time = Date.parse(event?.meta.at ?? "");
    return Number.isNaN(time) ? 0 : time;
  }

  /** The chance by which the recorded wait before a retry came about (docs/models.md: half of it is fixed). */
  #recordedChance(recorded: readonly SessionEvent[], begin: number): number {
    const event = recorded[this.#log.length - begin];
    if (event?.type !== "step.retried") return 0;
    const backoff = limits.modelRetryBaseMs * 2 ** (event.data.attempt - 1);
    return (event.data.delayMs / backoff - 0.5) * 2;
  }

  /** What a person changed at this very place of the recording. */
  async #personChanges(recorded: readonly SessionEvent[], begin: number): Promise<EventData["tree.changed"][]> {
    const taken: EventData["tree.changed"][] = [];
    for (let next = this.#log.length - begin; ; next++) {
      const event = recorded[next];
      if (event?.type !== "tree.changed" || event.data.reason === "seed") return taken;
      await this.#put(event.data.changes);
      taken.push(event.data);
    }
  }

  async #seeds(recorded: readonly SessionEvent[]): Promise<Record<string, Uint8Array>> {
    const seeds: Record<string, Uint8Array> = {};
    for (const event of recorded) {
      if (event.type !== "tree.changed" || event.data.reason !== "seed") continue;
      for (const { path, after } of event.data.changes) {
        const bytes = after === undefined ? undefined : await this.#options.blobs.get(after);
        if (bytes !== undefined) seeds[path] = bytes;
      }
    }
    return seeds;
  }

  async #put(changes: EventData["tree.changed"]["changes"]): Promise<void> {
    const { tree, blobs } = this.#options;
    for (const { path, after } of changes) {
      const bytes = after === undefined ? undefined : await blobs.get(after);
      if (after === undefined) await tree.delete(path);
      else if (bytes !== undefined) await tree.write(path, bytes);
    }
  }
}

/** What people answered to a turn that waited, one list for each time it was gone on with. */
function answersIn(recorded: readonly SessionEvent[]): (readonly InputResolution[])[] {
  return recorded.flatMap((event) => {
    if (event.type !== "input.resolved") return [];
    const given = event.data.resolutions.filter(({ outcome }) => outcome !== "cancelled");
    return given.length === 0 ? [] : [given];
  });
}

/** How many events of a turn came before it was stopped; `undefined` for a turn that was not. */
function interruptedAt(recorded: readonly SessionEvent[]): number | undefined {
  const isCut = (event: SessionEvent): boolean =>
    (event.type === "action.result" && event.data.error?.code === "interrupted") ||
    ((event.type === "step.failed" || event.type === "turn.failed") && event.data.code === "interrupted");
  const index = recorded.findIndex(isCut);
  return index < 0 ? undefined : index;
}
