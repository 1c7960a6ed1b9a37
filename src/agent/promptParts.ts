import type { AgentDefinition } from "./agentDefinition";
import { assertAsOf } from "./asOf";
import type { PartialFileSystem } from "./runtime";

/** Who answers for a part of the prompt. */
export type PromptOwner = "instructions" | "identity" | "brief" | "skills" | "context" | "workspace" | "asOf";

export interface PromptPart {
  readonly owner: PromptOwner;
  readonly text: string;
}

/** A mount as the brief names it. */
export interface MountDescription {
  readonly prefix: string;
  readonly readOnly: boolean;
}

/** A skill as the index names it; its body is read through the tree. */
export interface SkillDescription {
  readonly name: string;
  readonly description: string;
  /** Absolute path of its `SKILL.md` in the tree. */
  readonly path: string;
}

export interface PromptSources {
  readonly sessionId?: string;
  /** Told to the model before what the tree says of itself. */
  readonly mounts?: readonly MountDescription[];
  readonly skills?: readonly SkillDescription[];
  /** The session's frozen instant, ISO-8601 with a zone. */
  readonly asOf?: string;
  /** The harness's own directory; when omitted the root of the host's disk, on a tree the session's own. */
  readonly cwd?: string;
  /** What the session's first turn told of the tree: it is built once. Built now when omitted. */
  readonly brief?: string;
}

interface PromptPlace extends PromptSources {
  readonly workspacePath: string;
  /** Whether a shell is among the tools offered. */
  readonly hasShell: boolean;
}

/**
 * The layers of the system prompt in their order; a layer with nothing to say is not there. `context` (session, channel,
 * time) belongs to the first user message and is the loop's.
 * @throws DiscoveryError for an unusable `asOf`; whatever the tree's `brief` throws
 */
export async function promptParts(
  definition: AgentDefinition,
  tree: PartialFileSystem,
  sources: PromptPlace,
): Promise<readonly PromptPart[]> {
  const { asOf, skills = [], workspacePath } = sources;
  if (asOf !== undefined) assertAsOf(asOf);
  const parts: readonly (PromptPart | undefined)[] = [
    part("instructions", definition.instructions),
    part("identity", identityText(definition)),
    part("brief", sources.brief ?? (await briefText(definition, tree, sources))),
    part("skills", skillsIndex(skills)),
    part("workspace", `Workspace Path: ${workspacePath}`),
    part("asOf", asOf === undefined ? "" : `As of: ${asOf}. Treat this instant as now; nothing later has happened.`),
  ];
  return parts.filter((layer) => layer !== undefined);
}

function part(owner: PromptOwner, text: string): PromptPart | undefined {
  return text.trim() === "" ? undefined : { owner, text };
}

export function identityText({ name, description }: Pick<AgentDefinition, "name" | "description">): string {
  const lines = ["## About you", "", `You are ${name}.`];
  return [...lines, ...(description === undefined ? [] : ["", description])].join("\n");
}

/** The mounts, where they are known, then what the tree says of itself. */
async function briefText(
  { name }: AgentDefinition,
  tree: PartialFileSystem,
  { sessionId, mounts = [], hasShell }: PromptPlace,
): Promise<string> {
  const context = { sessionId: sessionId ?? "", agentName: name };
  const brief = await tree.brief?.(mounts.length === 0 ? context : { ...context, mountsTold: true });
  return [mountsBrief(mounts, hasShell), brief ?? ""].filter((text) => text !== "").join("\n\n");
}

function mountsBrief(mounts: readonly MountDescription[], hasShell: boolean): string {
  if (mounts.length === 0) return "";
  const lines = mounts.map(({ prefix, readOnly }) => `- ${prefix}${readOnly ? " (read-only)" : ""}`);
  const told = ["Your files are one tree under /, made of these mounts:", ...lines];
  return [...told, ...(hasShell ? [] : ["There is no shell here."])].join("\n");
}

function skillsIndex(skills: readonly SkillDescription[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description, path }) => `- ${name}: ${description} (${path})`);
  return ["## Skills", "", "Read a skill's file before you do what it is about:", ...lines].join("\n");
}
