import { resolve } from "node:path";
import {
  agentReport,
  agentSession,
  createKeyring,
  DiscoveryError,
  type AgentDefinition,
  type AgentReport,
  type AgentSession,
  type AgentSessionOptions,
  type DiscoveryFault,
  type Keyring,
  type Tool,
} from "../index";
import { agentFolder, type AgentFolder } from "./agentFolder";
import { agentTree } from "./agentTree";
import type { GivenOptions } from "./command";
import { connectedTools } from "./connectedTools";
import { moduleLoader, type BundledModules } from "./moduleLoader";
import { nodeEngine } from "./nodeEngine";
import { openTree, type OpenedTree } from "./openTree";
import type { Terminal } from "./terminal";
import { unrunTools } from "./unrunTools";
import { webTools } from "./webTools";

/** An agent with the tree it works on, as the options of a command say. */
export interface OpenedAgent {
  /** Absent for the agent a command makes up where none is named. */
  readonly folder?: AgentFolder;
  readonly report: AgentReport;
  /** Everything wrong with it: its files, its definition, and what it asks of its tree. */
  readonly faults: readonly DiscoveryFault[];
  readonly warnings: readonly DiscoveryFault[];
  readonly opened: OpenedTree;
  /** @throws DiscoveryError with every fault, where there are any */
  definition(): AgentDefinition;
  /** @throws DiscoveryError as above; without the tools of its connections, which `connect` brings */
  session: OpenSession;
  /** The agent with the tools of its connections; a connection that cannot be had is told of and left out. */
  connect(options?: ConnectOptions): Promise<ConnectedAgent>;
}

export interface ConnectOptions {
  /** Gets the tokens of the connections. */
  readonly keyring?: Keyring;
  /** Whether a connection is needed; all are when omitted. */
  readonly isNeeded?: (connection: string) => boolean;
}

type OpenSession = (options: Pick<AgentSessionOptions, "sessionId" | "asOf">) => AgentSession;

export interface ConnectedAgent extends AsyncDisposable {
  readonly tools: readonly Tool[];
  readonly session: OpenSession;
  /** Takes every key out of a text. */
  readonly scrub: (text: string) => string;
}

export interface OpenOptions {
  /** Told to a factory of trees; chance when omitted. */
  readonly sessionId?: string;
  readonly asOf?: string;
  /** Fields of the definition that the command line says otherwise. */
  readonly fields?: Partial<AgentDefinition>;
}

/** Who answers where no agent is named. */
const MADE_UP = { name: "agent", instructions: "Do what the person asks, with the files you are given." };

/**
 * Reads the agent of `--dir`, or makes one up, and puts it on the tree of `--root` and `--mount`, else on its own, else on
 * an empty one in memory.
 * @throws CommandError for a directory that is not there
 */
export async function openAgent(
  given: GivenOptions,
  terminal: Terminal,
  modules: BundledModules,
  { asOf, fields = {}, sessionId }: OpenOptions = {},
): Promise<OpenedAgent> {
  const dir = given.text("dir");
  const folder = dir === undefined ? undefined : await agentFolder(resolve(terminal.cwd, dir), moduleLoader(modules));
  const named = await openTree(given, terminal);
  const written = withFields(folder === undefined ? MADE_UP : folder.definition, fields);
  const { definition, opened, isHost, faults: treeFaults } = await agentTree(written, named, sessionId);
  const { parts = {}, tools = [], skills = [] } = folder ?? {};
  const harnessTools = webTools(given);
  const report = agentReport(definition, {
    ...parts,
    tree: opened.tree,
    ...(isHost ? { binding: "host" as const } : {}),
    // Told once: `agentReport` counts these among the tools of the folder.
    tools: [],
    authoredTools: tools,
    harnessTools,
    ...(asOf === undefined ? {} : { asOf }),
  });
  const faults = [...(folder?.faults ?? []), ...treeFaults, ...report.faults];
  const sound = () => {
    if (faults.length > 0 || report.definition === undefined) throw new DiscoveryError(faults);
    return report.definition;
  };
  const sessionWith =
    (mcp: readonly Tool[]): OpenSession =>
    (options) =>
      agentSession(sound(), {
        ...options,
        engine: nodeEngine,
        authoredTools: tools,
        harnessTools: { ...harnessTools, ...(mcp.length === 0 ? {} : { mcp }) },
        subagents: parts.subagents ?? [],
        skills,
        // An author's tree tells of itself what there is to tell.
        mounts: opened.mounts
          .filter(({ kind }) => kind !== "authored")
          .map(({ prefix, readOnly }) => ({ prefix, readOnly })),
        ...(isHost ? { hostTree: opened.tree } : {}),
      });
  return {
    ...(folder === undefined ? {} : { folder }),
    report,
    faults,
    warnings: [...(folder?.warnings ?? []), ...report.warnings, ...unrunTools(report)],
    opened,
    definition: sound,
    session: sessionWith([]),
    connect: async ({ keyring = createKeyring(), isNeeded = () => true } = {}) => {
      const needed = (folder?.connections ?? []).filter(({ name }) => isNeeded(name));
      const connected = await connectedTools(needed, terminal, keyring);
      return {
        tools: connected.tools,
        session: sessionWith(connected.tools),
        scrub: (text) => keyring.scrub(text),
        [Symbol.asyncDispose]: () => connected.close(),
      };
    },
  };
}

function withFields(definition: unknown, fields: Partial<AgentDefinition>): unknown {
  return typeof definition === "object" && definition !== null ? { ...definition, ...fields } : definition;
}
