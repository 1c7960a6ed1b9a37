import type { JsonObject } from "../base";
import { bindAgent, defineAgent, type BoundAgent, type TurnScratch } from "../agent";
import { ReadOnlyMountError, type FileSystem, type FileToWrite } from "../fs";
import type { SessionEvent } from "../session";
import { todoList, type Todo } from "../tools";
import { placedAgent } from "./agentJsonCheck";
import { hostBinding, hostSkills } from "./hostAgent";
import { isHostRuntime } from "./hostRuntime";
import type { SessionFeed } from "./sessionFeed";
import type { SessionHost } from "./sessionHost";
import type { SessionPlace } from "./sessionPlace";
import { foundSkills, type FoundSkill } from "./skills";
import type { WorkbenchServices } from "./workbenchServices";

/** What a session's later turns keep of it. */
export interface BoundSession {
  readonly sessionId?: string;
  readonly asOf?: string;
  readonly todos?: readonly Todo[];
  /** Nothing is written for it either. */
  readonly dryRun?: boolean;
}

/** What the log of a session says of that. */
export function boundSessionFromFeed(feed: SessionFeed): BoundSession {
  const { sessionId, asOf, dryRun } = feed.state.started?.playground ?? {};
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(dryRun === undefined ? {} : { dryRun }),
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
  { todos = [], dryRun = false, ...session }: BoundSession,
  kept: KeptBinding = {},
): Promise<BoundAgent> {
  // Whether writes ask is the person's choice for a turn, not what the agent is.
  const { approvals: _choice, ...agent } = place.agent();
  const host = await place.host?.();
  const disk = place.liveTree();
  const harness = (await place.harnessTools?.()) ?? {};
  const { tree = disk, ...onHost } = isHostRuntime(agent.runtime)
    ? hostBinding({
        options: agent.runtime.options ?? {},
        sessionId: session.sessionId ?? "",
        disk,
        shell: host?.shell ?? noShell,
      })
    : { shell: undefined };
  // On the host the agent has one disk, which needs no table.
  const mounts = onHost.shell ? [] : place.mounts().map(({ prefix, readOnly }) => ({ prefix, readOnly }));
  const told = JSON.stringify(mounts);
  const bound = await bindAgent(defineAgent(placedAgent(agent, disk)), tree, {
    ...("cwd" in onHost ? { cwd: onHost.cwd, binding: onHost.binding } : {}),
    harnessTools: { ...harness, ...(onHost.shell && host ? { shell: onHost.shell } : {}) },
    mounts,
    todos: todoList(todos),
    skills:
      host && "cwd" in onHost ? await skillsOnHost(host, disk, { cwd: onHost.cwd, dryRun }) : await skillsOf(disk),
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

const noShell = () => Promise.reject(new Error("There is no host here."));

/** The skills of all mounts, put where an agent on the host can read them; its directory is made. A dry run does neither. */
async function skillsOnHost(
  host: SessionHost,
  disk: FileSystem,
  { cwd, dryRun }: { readonly cwd: string; readonly dryRun: boolean },
): Promise<readonly FoundSkill[]> {
  if (!dryRun) await host.makeDirectory(cwd);
  const { skills, copies } = hostSkills(await skillsOf(host.mounts), cwd);
  const files: FileToWrite[] = [];
  for (const { from, to } of copies) {
    const [text, there] = await Promise.all([host.mounts.read(from), disk.stat(to)]);
    if (there.kind !== "file" || (await disk.read(to)) !== text) files.push([to, text]);
  }
  const areThere = files.length === 0 || (!dryRun && (await isPut(host, files)));
  const missing = new Set(areThere ? [] : files.map(([path]) => path));
  return skills.filter(({ path }) => !missing.has(path));
}

/** Whether the files could be written; a disk that is read-only takes none. */
async function isPut(host: SessionHost, files: readonly FileToWrite[]): Promise<boolean> {
  try {
    await host.putFiles(files);
    return true;
  } catch (error) {
    if (!(error instanceof ReadOnlyMountError)) throw error;
    return false;
  }
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
