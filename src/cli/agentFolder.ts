import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { AgentParts, ConnectionDefinition, DefinedSkill, DiscoveryFault, Tool } from "../index";
import { connectionsIn } from "./folderConnections";
import { FolderFaults } from "./folderFaults";
import { filesIn, isDirectory, moduleName } from "./folderFiles";
import { skillsIn } from "./folderSkills";
import { subagentsIn } from "./folderSubagents";
import { toolsIn } from "./folderTools";
import type { LoadModule } from "./moduleLoader";

/** An agent as it lies in a folder (docs/commandLine.md, section 3). */
export interface AgentFolder {
  readonly directory: string;
  /** What `discover` is given: the definition's fields, with name and instructions from the folder. */
  readonly definition: unknown;
  /** What `discover` is told of the rest. */
  readonly parts: AgentParts;
  readonly tools: readonly Tool[];
  readonly skills: readonly DefinedSkill[];
  readonly connections: readonly ConnectionDefinition[];
  /** Ids of its evals. */
  readonly evals: readonly string[];
  /** What is wrong with the files themselves. */
  readonly faults: readonly DiscoveryFault[];
  readonly warnings: readonly DiscoveryFault[];
}

/** Reads an agent's folder, all of it whatever is wrong with a part. Never throws for what a folder may hold. */
export async function agentFolder(directory: string, loadModule: LoadModule): Promise<AgentFolder> {
  const faults = new FolderFaults();
  if (!(await isDirectory(directory))) {
    faults.add("agent", `There is no directory ${directory}.`, "Name the agent's folder with --dir.");
    return {
      directory,
      definition: {},
      parts: {},
      tools: [],
      skills: [],
      connections: [],
      evals: [],
      ...faults.lists(),
    };
  }
  const inner = join(directory, "agent");
  const base = (await isDirectory(inner)) ? inner : directory;
  const definition = await definitionIn(base, basename(directory), loadModule, faults);
  const tools = await toolsIn(base, loadModule, faults);
  const skills = await skillsIn(base, faults);
  const connections = await connectionsIn(base, loadModule, faults);
  const parts: AgentParts = {
    tools,
    connections,
    subagents: await subagentsIn(base, loadModule, faults),
    hasSkills: skills.length > 0,
    hasSeeds: await isDirectory(join(base, "sandbox/workspace")),
    hasAgentEvals: await isDirectory(join(inner, "evals")),
  };
  const evals = await evalsIn(directory, faults);
  return { directory, definition, parts, tools, skills, connections, evals, ...faults.lists() };
}

const DEFINITION = /^agent\.(ts|mts|js|mjs|json)$/;

async function definitionIn(
  base: string,
  folderName: string,
  loadModule: LoadModule,
  faults: FolderFaults,
): Promise<unknown> {
  const names = (await filesIn(base)).filter((name) => DEFINITION.test(name));
  const instructions = await textOf(join(base, "instructions.md"), "instructions.md", faults);
  if (names.length === 0 && instructions === undefined) {
    faults.add("agent", "There is neither agent.ts, agent.js or agent.json nor instructions.md.", "Write one of them.");
    return undefined;
  }
  if (names.length > 1) faults.add(names.join(" + "), "They are two definitions of one agent.", "Keep one of them.");
  const [name] = names;
  const given =
    name === undefined
      ? {}
      : await faults.defaultOf(name, () => loadModule(join(base, name)), "export default defineAgent({ … })");
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const fields = given as Readonly<Record<string, unknown>>;
  if (fields["instructions"] !== undefined && instructions !== undefined) {
    faults.add(`${name} + instructions.md`, "Both hold the instructions.", "Keep one of them.");
  }
  return { name: folderName, ...(instructions === undefined ? {} : { instructions }), ...fields };
}

async function textOf(path: string, name: string, faults: FolderFaults): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) faults.add(name, "It cannot be read.", "Make it a file that may be read.");
    return undefined;
  }
}

const EVAL = /\.eval\.m?[jt]s$/;

/** The ids of the evals: their paths without the ending, `index` meaning its folder. */
async function evalsIn(directory: string, faults: FolderFaults): Promise<string[]> {
  const evals = join(directory, "evals");
  if (!(await isDirectory(evals))) return [];
  const files = (await readdir(evals, { recursive: true })).map((file) => file.replaceAll("\\", "/"));
  const ids = files
    .filter((file) => EVAL.test(file))
    .map((file) => file.replace(EVAL, "").replace(/(^|\/)index$/, ""))
    .toSorted();
  if (ids.length > 0 && !files.some((file) => moduleName(file) === "evals.config")) {
    faults.warn("evals/", "There is no evals.config.ts.", "Write one that sets maxConcurrency.");
  }
  return ids;
}
