import { createReplay, recordedThenLive } from "../trajectory";
import { forkedPlace } from "./compareFork";
import { recordedAgent } from "./recordedAgent";
import { isHostRuntime } from "./hostRuntime";
import type { OpenSession } from "./openSession";
import type { AgentDocument } from "./projectDocument";
import type { SessionPlace } from "./sessionPlace";
import type { SessionFeed } from "./sessionFeed";
import type { RunCore } from "./sessionRun";
import type { WorkbenchCore } from "./workbenchCore";

/** Where a fork runs, for the time of one run. */
export interface ForkPlace {
  readonly core: RunCore;
  readonly place: SessionPlace;
  /** Never throws. */
  close(): Promise<void>;
}

type PlaceCore = Pick<WorkbenchCore, "services" | "storage" | "project" | "connections">;

/**
 * A fork's own files: the tree its log ends with, made anew for every run, so that they last as long as the log does. It
 * runs with the agent of its log and the project's model.
 * @throws UnavailableError when the tree it began with is not kept; HostError
 */
export async function forkSessionPlace(core: PlaceCore, session: OpenSession): Promise<ForkPlace> {
  const { feed } = session;
  await feed.addAll(core.storage.log(session.id).read(feed.events.length));
  const tree = await forkTree(core, feed);
  const agent = agentOfLog(feed);
  const mounts = mountsOfLog(feed);
  const { services, project, connections } = core;
  const place: SessionPlace = {
    ...forkedPlace({
      agent,
      model: project.getState().model,
      mounts,
      tree,
      engine: services.engine,
      clock: services.clock,
      harnessTools: () => connections.getState().harnessTools(project.getState().model),
    }),
    model: () => project.getState().model,
  };
  const running = { storage: core.storage, services: servicesFor(core, session) };
  if (!isHostRuntime(agent.runtime)) return { core: running, place, close: () => Promise.resolve() };
  const { armHost } = await import("./compareHost");
  const host = await armHost({ core, purpose: "fork", mounts, tree }, place);
  return { core: running, place: host.place, close: () => host.close() };
}

/** The tree a fork's log ends with. @throws UnavailableError */
export async function forkTree({ storage }: Pick<PlaceCore, "storage">, feed: SessionFeed) {
  const start = await storage.loadSnapshot(feed.state.started?.playground?.snapshot ?? "");
  return createReplay(feed.events, start, storage.blobs).treeAt(feed.events.length - 1);
}

/** A person may have given it other instructions than the session had that it comes from. */
function agentOfLog({ state, events }: SessionFeed): AgentDocument {
  const started = state.started?.playground;
  const changed =
    started?.fork?.edit === "instructions"
      ? undefined
      : events.findLast((event) => event.type === "agent.changed" && event.data.definition !== undefined);
  const definition = changed?.type === "agent.changed" ? changed.data.definition : undefined;
  return recordedAgent(definition ?? started?.definition ?? {});
}

function mountsOfLog({ state, events }: SessionFeed) {
  const told = events.findLast((event) => event.type === "tree.changed" && event.data.mounts !== undefined);
  return (told?.type === "tree.changed" ? told.data.mounts : undefined) ?? state.started?.playground?.mounts ?? [];
}

/** The recording speaks before the model does, as long as the session is open here. */
function servicesFor({ services }: PlaceCore, { id, recording }: OpenSession): RunCore["services"] {
  if (recording === undefined) return services;
  return {
    ...services,
    createModel: async (settings) =>
      recordedThenLive({
        events: recording.events,
        from: recording.from,
        live: await services.createModel(settings),
        sessionIds: { recorded: recording.sessionId, now: id },
        scrub: (text) => services.keyring.scrub(text),
        onLive: recording.onLive,
      }),
  };
}
