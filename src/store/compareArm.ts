import { AsyncQueue, sha256HexSync } from "../base";
import type { PlannedRun } from "../experiment";
import type { SnapshotTree } from "../fs";
import type { ModelSettings } from "../model";
import type { SessionEvent } from "../session";
import { forkedPlace } from "./compareFork";
import type { HarnessTools } from "./connectionsState";
import { isHostRuntime } from "./hostRuntime";
import type { CompareRecord } from "./projectDocument";
import { SessionFeed } from "./sessionFeed";
import type { SessionPlace } from "./sessionPlace";
import { newSessionRecord } from "./sessionRecords";
import { lockedRun, newSessionEvents, type RunChoices, type RunCore } from "./sessionRun";
import type { WorkbenchCore } from "./workbenchCore";

/** Nobody is there to be asked, and every run writes to a fork of its own. */
const CHOICES: RunChoices = { asksBeforeWrites: false, dryRun: false };

/** One run of an arm while it goes on. */
export interface ArmRun {
  readonly sessionId: string;
  readonly feed: SessionFeed;
  /** Resolves when every event so far is on disk. @throws what the log throws */
  durable(): Promise<void>;
}

export interface ArmNeeds {
  readonly core: RunCore & Pick<WorkbenchCore, "connections" | "project">;
  readonly record: CompareRecord;
  readonly model: ModelSettings;
  /** The tree every run begins on. */
  readonly tree: SnapshotTree;
}

/** A copy of the mounts for one run, with the run's agent and seed. */
export function armPlace({ core, record, model, tree }: ArmNeeds, planned: PlannedRun): SessionPlace {
  const variant = record.plan.variants.find(({ id }) => id === planned.variantId);
  return forkedPlace({
    agent: { ...record.agent, instructions: variant?.instructions ?? "" },
    model,
    mounts: record.mounts,
    tree,
    engine: core.services.engine,
    clock: core.services.clock,
    harnessTools: async () => readingTools(await core.connections.getState().harnessTools(model)),
    callSeed: Number.parseInt(sha256HexSync(planned.seed).slice(0, 7), 16),
  });
}

/** What a run writes must stay on its fork: a server has none, so only its tools that read are offered. */
function readingTools({ mcp = [], ...web }: HarnessTools): HarnessTools {
  return { ...web, mcp: mcp.filter(({ effect }) => effect === "read") };
}

/**
 * Carries out one run as a session of its own. `begun` is told of it once it is in the list of sessions.
 * @throws DiscoveryError, QuotaError, UnavailableError
 */
export async function* armEvents(
  needs: ArmNeeds,
  planned: PlannedRun,
  signal: AbortSignal,
  begun: (run: ArmRun) => void,
): AsyncGenerator<SessionEvent, void, undefined> {
  const forked = armPlace(needs, planned);
  if (!isHostRuntime(needs.record.agent.runtime)) {
    yield* eventsAt(forked, needs, planned, signal, begun);
    return;
  }
  const { armHost } = await import("./compareHost");
  const { core, record, tree } = needs;
  const host = await armHost({ core, purpose: "compare", mounts: record.mounts, tree }, forked);
  try {
    yield* eventsAt(host.place, needs, planned, signal, begun);
  } finally {
    await host.close();
  }
}

async function* eventsAt(
  place: SessionPlace,
  needs: ArmNeeds,
  planned: PlannedRun,
  signal: AbortSignal,
  begun: (run: ArmRun) => void,
): AsyncGenerator<SessionEvent, void, undefined> {
  const { core } = needs;
  const message = needs.record.plan.prompts[planned.promptIndex] ?? "";
  const { sessionId, events } = await beginSession(needs, planned, place, message);
  const feed = new SessionFeed();
  const added = new AsyncQueue<SessionEvent>();
  const run = await lockedRun(core, place, sessionId, feed, (event) => added.push(event));
  if (run === undefined) throw new Error("Another tab took this run.");
  const stop = () => run.stop();
  try {
    begun({ sessionId, feed, durable: () => run.durable() });
    yield* events;
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    run.runMessage(message, CHOICES).then(
      () => added.end(),
      (error: unknown) => added.fail(error),
    );
    yield* added;
  } finally {
    signal.removeEventListener("abort", stop);
    await run.release();
    await core.storage.updateSession(sessionId, { status: feed.state.status });
  }
}

async function beginSession({ core, record }: ArmNeeds, planned: PlannedRun, place: SessionPlace, message: string) {
  const { services, storage } = core;
  const index = record.plan.variants.findIndex(({ id }) => id === planned.variantId);
  const label = record.plan.variants[index]?.label ?? "";
  const letter = "AB"[index] ?? "";
  const { sessionId, events } = await newSessionEvents(core, place, CHOICES, {
    // A run that is made again is another session.
    seed: record.sessions[planned.id] === undefined ? planned.id : `${planned.id}/${services.randomSeed()}`,
    assigned: { name: record.plan.id, variant: planned.variantId, label },
  });
  const listed = newSessionRecord(sessionId, message, services.clock());
  await storage.createSession({
    ...listed,
    name: `${letter} ${label}: ${listed.name}`,
    eventCount: 0,
    origin: "compare",
    experimentId: record.plan.id,
  });
  await storage.log(sessionId).append(events);
  return { sessionId, events };
}
