import { DiscoveryError, type AgentSession, type BoundAgent, type DiscoveryFault } from "../index";
import type { Command } from "./command";
import { agentOption, asOfOption, jsonOption, treeOptions } from "./commandOptions";
import { faultText } from "./faultText";
import { jsonText } from "./jsonText";
import { openAgent, type OpenedAgent } from "./openAgent";
import { webOptions } from "./webTools";

export const infoCommand: Command = {
  name: "info",
  operands: [],
  summary: "Says what an agent is offered, what it is refused and why, what it is told, and which trees it has.",
  details: "Without --dir it tells of an agent that is made up on the spot, as `call` and `run` use it.",
  options: {
    dir: agentOption,
    ...treeOptions,
    ...webOptions,
    "as-of": asOfOption,
    json: jsonOption,
  },
  async run(given, terminal, { modules }) {
    const asOf = given.text("as-of");
    const agent = await openAgent(given, terminal, modules, asOf === undefined ? {} : { asOf });
    const isSound = agent.faults.length === 0;
    const session = isSound
      ? agent.session({ sessionId: "session", ...(asOf === undefined ? {} : { asOf }) })
      : undefined;
    const { prompt, faults } = await promptOf(session);
    const report = { ...agent.report, refused: refusedIn(agent) };
    const told = { ...agent, report, faults: [...agent.faults, ...faults] };
    await terminal.write(given.has("json") ? jsonText(infoOf(told, prompt)) : infoText(told, prompt));
    return told.faults.length === 0;
  },
};

/** Connections are not opened to tell of them, so which tools they bring is not known. */
function refusedIn({ report, folder }: OpenedAgent): OpenedAgent["report"]["refused"] {
  if (folder === undefined || folder.connections.length === 0) return report.refused;
  return report.refused.map((tool) =>
    tool.reason === "No tool of a connection is there."
      ? { ...tool, reason: "Its connections are opened by run and call." }
      : tool,
  );
}

interface ToldPrompt {
  readonly prompt: BoundAgent["prompt"];
  readonly faults: readonly DiscoveryFault[];
}

/** What a turn would be told; why it cannot begin (a loop elsewhere, say) is a fault beside all that can be told. */
async function promptOf(session: AgentSession | undefined): Promise<ToldPrompt> {
  try {
    return { prompt: (await session?.beginTurn())?.prompt ?? [], faults: [] };
  } catch (error) {
    if (error instanceof DiscoveryError) return { prompt: [], faults: error.faults };
    throw error;
  }
}

function infoOf({ report, folder, opened, faults, warnings }: OpenedAgent, prompt: BoundAgent["prompt"]): object {
  const { definition, binding, offered, refused } = report;
  return {
    name: definition?.name,
    description: definition?.description,
    runsOn: binding,
    offered,
    refused,
    prompt,
    mounts: opened.mounts,
    skills: (folder?.skills ?? []).map(({ name, description }) => ({ name, description })),
    connections: folder?.connections ?? [],
    evals: folder?.evals ?? [],
    faults,
    warnings,
  };
}

function infoText(agent: OpenedAgent, prompt: BoundAgent["prompt"]): string {
  const { report, folder, opened, faults, warnings } = agent;
  const { name, description } = report.definition ?? {};
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Faults", faults.map(faultText)],
    ["Warnings", warnings.map(faultText)],
    [
      "Offered",
      report.offered.map(
        (tool) => `${tool.name}  ${tool.effect}, ${tool.owner}${tool.needsApproval ? ", asks first" : ""}`,
      ),
    ],
    ["Refused", report.refused.map((tool) => `${tool.name}  ${tool.reason}`)],
    ["Mounts", opened.mounts.map(({ prefix, kind, directory }) => `${prefix}  ${directory ?? kind}`)],
    ["Skills", (folder?.skills ?? []).map((skill) => `${skill.name}  ${skill.description}`)],
    ["Connections", (folder?.connections ?? []).map((connection) => `${connection.name}  ${connection.url}`)],
    ["Evals", folder?.evals ?? []],
    ["Prompt", prompt.flatMap(({ owner, text }) => [`[${owner}]`, ...text.split("\n").map((line) => `  ${line}`)])],
  ];
  const head = name === undefined ? [] : [description === undefined ? name : `${name}: ${description}`, ""];
  const told = sections.filter(([, lines]) => lines.length > 0);
  const body = told.map(([title, lines]) => [title, ...lines.map((line) => `  ${line}`.trimEnd())].join("\n"));
  return `${[...head, body.join("\n\n")].join("\n")}\n`;
}
