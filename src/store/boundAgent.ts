import type { JsonObject } from "../base";
import { bindAgent, defineAgent, type BoundAgent, type TurnScratch } from "../agent";
import type { FileSystem } from "../fs";
import type { SessionEvent } from "../session";
import { todoList, type Todo } from "../tools";
import { placedAgent } from "./agentJsonCheck";
import type { SessionFeed } from "./sessionFeed";
import type { SessionPlace } from "./sessionPlace";
import { foundSkills, type FoundSkill } from "./skills";
import type { WorkbenchServices } from "./workbenchServices";

/** What a session's later turns keep of it. */
export interface BoundSession {
  readonly sessionId?: string;
  readonly asOf?: string;
  readonly todos?: readonly Todo[];
}

/** What the log of a session says of that. */
export function boundSessionFromFeed(feed: SessionFeed): BoundSession {
  const { sessionId, asOf } = feed.state.started?.playground ?? {};
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(asOf === undefined ? {} : { asOf }),
    todos: lastTodos(feed.events),
  };
}

/** What a session that is open keeps from one turn to the next, and through a turn that waits for a person. */
export interface KeptBinding {
  /** The turn's own `/tmp`. */
  scratch?: TurnScratch;
  /** What was told of the tree, for as long as the mounts are these: it is built once. */
  brief?: { readonly text: string; readonly mounts: string };
}

/** The place's agent on its mounts as they are. @throws DiscoveryError */
export async function boundAgent(
  { clock, engine }: Pick<WorkbenchServices, "clock" | "engine">,
  place: SessionPlace,
  { todos = [], ...session }: BoundSession,
  kept: KeptBinding = {},
): Promise<BoundAgent> {
  // Whether writes ask is the person's choice for a turn, not what the agent is.
  const { approvals: _choice, ...agent } = place.agent();
  const tree = place.liveTree();
  const mounts = place.mounts().map(({ prefix, readOnly }) => ({ prefix, readOnly }));
  const told = JSON.stringify(mounts);
  const bound = await bindAgent(defineAgent(placedAgent(agent, tree)), tree, {
    harnessTools: (await place.harnessTools?.()) ?? {},
    mounts,
    todos: todoList(todos),
    skills: await skillsOf(tree),
    now: clock,
    engine,
    ...session,
    ...(kept.scratch === undefined ? {} : { scratch: kept.scratch }),
    ...(kept.brief?.mounts === told ? { brief: kept.brief.text } : {}),
  });
  if (bound.scratch !== undefined) kept.scratch = bound.scratch;
  kept.brief = { text: bound.prompt.find(({ owner }) => owner === "brief")?.text ?? "", mounts: told };
  return bound;
}

/** Skills are a help: a tree that cannot be searched for them keeps no turn from beginning. */
async function skillsOf(tree: FileSystem): Promise<readonly FoundSkill[]> {
  try {
    return (await foundSkills(tree)).skills;
  } catch {
    return [];
  }
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
