import { DiscoveryError, type DiscoveryFault, type JsonObject } from "../base";
import { normalizeFsPath } from "../fs";
import type { AgentDefinition } from "./agentDefinition";
import { hostOptions, isRuntime, localOptionFaults, shown } from "./fieldFaults";
import { isVirtual, runtimeKind, type CloudRuntime, type LocalOptions, type LocalRuntime } from "./runtime";

/** Where a message asks its session to run. */
export interface SendOptions {
  readonly runtime?: CloudRuntime | LocalRuntime;
  /** @deprecated `runtime: cloudRuntime(options)`, which is not merged over the agent's `cloud` as this is. */
  readonly cloud?: JsonObject;
  /** @deprecated `runtime: localRuntime({ workspaceDir })` */
  readonly workspaceDir?: string;
}

/** Where a session's turns run: on the host's disk, on a tree of the agent's own, or in a loop elsewhere. */
export type SendTarget =
  | { readonly where: "host"; readonly options: LocalOptions }
  | { readonly where: "tree" }
  | { readonly where: "cloud"; readonly options: JsonObject }
  | { readonly where: "grokbot" };

/**
 * Where a session goes on when a message is sent (docs/runtime.md, section 2). `current` is where it ran before; what a
 * message says holds for the session from then on.
 * @throws DiscoveryError with every reason why the session cannot go there
 */
export function sendTarget(definition: AgentDefinition, sent: SendOptions = {}, current?: SendTarget): SendTarget {
  const own = current?.where === "cloud" ? current : ownTarget(definition);
  const faults = [...shapeFaults(sent), ...pairFaults(sent)];
  if (faults.length > 0) throw new DiscoveryError(faults);
  const runtime = sent.runtime ?? olderForm(definition, sent, own);
  if (runtime === undefined) return current ?? own;
  const refusal = refusalOf(definition, own, runtime, sent);
  if (refusal !== undefined) throw new DiscoveryError([refusal]);
  if (runtime.kind === "cloud") return { where: "cloud", options: runtime.options };
  const agent = own.where === "host" ? own.options : {};
  return { where: "host", options: overlay(agent, runtime.workspace === "host" ? runtime.options : {}) };
}

/** A session's own directory, where nothing else is said. */
export function ownDirectory(sessionId: string): string {
  return `/sessions/${sessionId}`;
}

/** The directory a session works in on the host's disk: its options' own, else one of its own under `cwd`, else the session's. */
export function sessionCwd(
  { workspaceDir, cwd }: LocalOptions,
  { sessionId, sessionDirectory }: { readonly sessionId: string; readonly sessionDirectory: string },
): string {
  if (workspaceDir !== undefined) return normalizeFsPath(workspaceDir);
  return normalizeFsPath(cwd === undefined ? sessionDirectory : `${cwd}/${sessionId}`);
}

function ownTarget({ root, runtime, local, cloud }: AgentDefinition): SendTarget {
  if (root !== undefined || isVirtual(runtime)) return { where: "tree" };
  const kind = runtimeKind(runtime);
  if (kind === "grokbot") return { where: "grokbot" };
  const options = typeof runtime === "object" && "options" in runtime ? runtime.options : undefined;
  if (kind === "cloud") return { where: "cloud", options: (options as JsonObject | undefined) ?? cloud ?? {} };
  return { where: "host", options: (options as LocalOptions | undefined) ?? local ?? {} };
}

/** What a message says comes first; a base directory it names takes the place of an agent's exact one. */
function overlay({ workspaceDir, ...agent }: LocalOptions, sent: LocalOptions): LocalOptions {
  const keepsExact = workspaceDir !== undefined && sent.cwd === undefined;
  return { ...agent, ...(keepsExact ? { workspaceDir } : {}), ...sent };
}

function shapeFaults({ runtime, cloud, workspaceDir }: SendOptions): DiscoveryFault[] {
  const faults: DiscoveryFault[] = [];
  if (runtime !== undefined && (typeof runtime !== "object" || !isRuntime(runtime))) {
    faults.push({
      field: "send.runtime",
      problem: `${shown(runtime)} is no runtime.`,
      mend: "Use cloudRuntime({ repos }), localRuntime() or sandboxRuntime().",
    });
  }
  for (const { option, ...found } of localOptionFaults(hostOptions(runtime)))
    faults.push({ field: `send.runtime.${option}`, ...found });
  if (cloud !== undefined && (typeof cloud !== "object" || cloud === null || Array.isArray(cloud))) {
    faults.push({ field: "send.cloud", problem: `${shown(cloud)} is no object.`, mend: "Give repos in an object." });
  }
  if (workspaceDir !== undefined && (typeof workspaceDir !== "string" || workspaceDir.trim() === "")) {
    const problem = `${shown(workspaceDir)} is no directory.`;
    faults.push({ field: "send.workspaceDir", problem, mend: "Give the path of a directory." });
  }
  return faults;
}

function pairFaults({ runtime, cloud, workspaceDir }: SendOptions): DiscoveryFault[] {
  const faults: DiscoveryFault[] = [];
  const problem = "They are two ways to say where the session runs.";
  if (runtime === undefined) {
    if (cloud === undefined || workspaceDir === undefined) return [];
    return [{ field: "send.cloud + send.workspaceDir", problem, mend: "Send one of them." }];
  }
  if (cloud !== undefined) {
    faults.push({ field: "send.runtime + send.cloud", problem, mend: "Put the options into cloudRuntime(options)." });
  }
  if (workspaceDir !== undefined) {
    const mend = "Put the directory into localRuntime({ workspaceDir }).";
    faults.push({ field: "send.runtime + send.workspaceDir", problem, mend });
  }
  return faults;
}

/** The older forms as the runtime they stand for; a directory means nothing to a loop elsewhere. */
function olderForm(
  { cloud: base, runtime }: AgentDefinition,
  { cloud, workspaceDir }: SendOptions,
  own: SendTarget,
): CloudRuntime | LocalRuntime | undefined {
  if (cloud !== undefined) {
    const agent = base ?? (typeof runtime === "object" && runtime.kind === "cloud" ? runtime.options : {});
    return { kind: "cloud", options: { ...agent, ...cloud } };
  }
  if (workspaceDir === undefined || own.where === "cloud") return undefined;
  return { kind: "local", workspace: "host", options: { workspaceDir } };
}

/** The row of the table that refuses, if one does. */
function refusalOf(
  definition: AgentDefinition,
  own: SendTarget,
  runtime: CloudRuntime | LocalRuntime,
  sent: SendOptions,
): DiscoveryFault | undefined {
  const older = sent.cloud === undefined ? "send.workspaceDir" : "send.cloud";
  const given = sent.runtime === undefined ? older : "send.runtime";
  if ((runtime.kind as string) === "grokbot") {
    const mend = "Define an agent with runtime: grokbotRuntime().";
    return { field: given, problem: "No session can be sent to a grokbot loop.", mend };
  }
  const row = refusingRow(definition, own, runtime);
  return row === undefined ? undefined : { ...row, field: `${row.field} + ${given}` };
}

function refusingRow(
  { root, tools }: AgentDefinition,
  own: SendTarget,
  runtime: CloudRuntime | LocalRuntime,
): DiscoveryFault | undefined {
  if (own.where === "tree") {
    return {
      field: root === undefined ? "runtime" : "root",
      problem: "A session on a tree of its own stays on it.",
      mend: "Send without it, or define another agent for that.",
    };
  }
  if (own.where === "grokbot") {
    return {
      field: "runtime",
      problem: "A grokbot session stays where it is.",
      mend: "Send without it, or define another agent for that.",
    };
  }
  if (own.where === "cloud" && runtime.kind === "local") {
    return {
      field: "runtime",
      problem: "A session in the cloud cannot be brought here.",
      mend: "Send without it, or define an agent that runs here.",
    };
  }
  if (isVirtual(runtime)) {
    return {
      field: "runtime",
      problem: "A session cannot get a new tree in its middle.",
      mend: "Define an agent with virtualRuntime(fs), or send localRuntime() to change the directory.",
    };
  }
  if (own.where === "host" && runtime.kind === "cloud" && tools !== undefined) {
    return {
      field: "tools",
      problem: "A cloud loop chooses its own tools and cannot be held to a list.",
      mend: "Take tools out of the agent, or do not send it to the cloud.",
    };
  }
  return undefined;
}
