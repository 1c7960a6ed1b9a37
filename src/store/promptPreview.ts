import { bindAgent, type AgentDefinition } from "../agent";
import { isVersionedTree, type FileSystem } from "../fs";
import { systemClock } from "../base";
import {
  eventStamp,
  modelRequest,
  requestParts,
  sessionIdsAt,
  startSession,
  type RequestPart,
  type SessionEvent,
} from "../session";
import type { HarnessTools } from "./connectionsState";
import { hostBinding, hostSkills } from "./hostAgent";
import { isHostRuntime } from "./hostRuntime";
import { foundSkills } from "./skills";

export interface PromptPreviewPlace {
  readonly tree: FileSystem;
  readonly mounts: readonly { readonly prefix: string; readonly readOnly: boolean }[];
  readonly harnessTools: HarnessTools;
  /** The frozen instant the next session would have. */
  readonly asOf?: string;
}

/**
 * What a new session's first request would hold before the message, part by part, in the order the model reads it: made
 * as a run makes it.
 * @throws what binding throws, and the tree
 */
export async function promptPreview(definition: AgentDefinition, place: PromptPreviewPlace): Promise<RequestPart[]> {
  const { tree, mounts, harnessTools, asOf } = place;
  const { skills } = await foundSkills(tree);
  const frozen = asOf === undefined ? {} : { asOf };
  const { runtime } = definition;
  const onHost =
    isHostRuntime(runtime) && isVersionedTree(tree)
      ? hostBinding({ options: runtime.options ?? {}, sessionId: "(given when it begins)", disk: tree, shell: noShell })
      : undefined;
  const bound = onHost
    ? await bindAgent(definition, onHost.tree, {
        binding: onHost.binding,
        cwd: onHost.cwd,
        harnessTools: { ...harnessTools, shell: onHost.shell },
        skills: hostSkills(skills, onHost.cwd).skills,
        ...frozen,
      })
    : await bindAgent(definition, tree, { mounts, harnessTools, skills, ...frozen });
  const request = modelRequest(bound, firstEvents(asOf));
  return requestParts(JSON.parse(JSON.stringify(request))).filter(({ owner }) => owner !== "history");
}

/** Nothing is run for a preview. */
const noShell = () => Promise.reject(new Error("A preview runs nothing."));

/** A log's beginning, with what is not known before it begins said in words. */
function firstEvents(asOf: string | undefined): SessionEvent[] {
  const ids = sessionIdsAt("", 0, systemClock);
  const begin = startSession({
    seed: "",
    ids,
    clock: systemClock,
    agentId: "",
    definition: {},
    definitionHash: "",
    model: {},
    tools: [],
    mounts: [],
    snapshot: "",
    startedAt: "(when it begins)",
    ...(asOf === undefined ? {} : { asOf }),
  }).map((event): SessionEvent =>
    event.type === "session.started" && event.data.playground
      ? {
          ...event,
          data: { ...event.data, playground: { ...event.data.playground, sessionId: "(given when it begins)" } },
        }
      : event,
  );
  const stamp = eventStamp(ids, systemClock);
  return [...begin, stamp({ type: "message.received", data: { turnId: "turn_0", sequence: 0, message: "" } })];
}
