import { childAgent, defineAgent, bindAgent, type BoundAgent } from "../../agent";
import { seededRandom, sessionIds } from "../../base";
import type { FileSystem, VersionedTree } from "../../fs";
import { callTool, type OfferedTool, type SessionEvent } from "../../session";
import { generalSubagent, todoList, type Tool } from "../../tools";
import type { CallRunner, ReexecutionShell, RunOutcome } from "./callRunner";
import { foreignRunner } from "./foreign/foreignRunner";
import type { RecordedCall } from "./recordedCalls";

/** Binds the recording's agent to the tree it is re-executed on, anew for every turn. May throw: a fault of the caller. */
export type BindForReexecution = (tree: FileSystem) => Promise<BoundAgent>;

export interface OwnRunnerOptions {
  readonly tree: FileSystem & VersionedTree;
  readonly events: readonly SessionEvent[];
  /** The recorded agent with its own tools; without it the tools of ours run that the recording names. */
  readonly bind?: BindForReexecution;
  readonly shell?: ReexecutionShell;
}

/** Tools whose answers come from outside the tree: another answer tells nothing of the recording. */
const OUTSIDE_TOOLS: Readonly<Record<string, string>> = {
  webFetch: "What the web answers today is not what it answered then; the recorded result stands.",
  webSearch: "What the web answers today is not what it answered then; the recorded result stands.",
};

const MCP_REASON = "A server's tool may act outside of the tree; the recorded result stands.";

/** Runs the calls of a log recorded here, by the same checks a turn makes (docs/runtime.md, section 3). */
export function ownRunner(options: OwnRunnerOptions): CallRunner {
  const { tree, events } = options;
  const started = events.find((event) => event.type === "session.started");
  const session = started === undefined ? [] : [withoutTask(started)];
  // A command begins where the agent works.
  const shellRunner = (cwd: string): CallRunner =>
    foreignRunner({
      tree,
      placement: { cwd },
      ...(options.shell === undefined ? {} : { shell: options.shell }),
    });
  // One list for the whole session, as the session has it.
  const bind = options.bind ?? defaultBinding(started, todoList());
  let bound: Promise<BoundAgent> | undefined;
  let children = new Map<string, BoundAgent>();

  const agentFor = async (taskCallId: string | undefined): Promise<BoundAgent> => {
    const parent = await (bound ??= bind(tree).then((agent) => withRecordedTools(agent, recordedTools(started))));
    if (taskCallId === undefined) return parent;
    const child = children.get(taskCallId) ?? childAgent(parent, generalSubagent);
    children.set(taskCallId, child);
    return child;
  };

  return {
    beginTurn() {
      bound = undefined;
      children = new Map();
    },
    async run(call, signal) {
      const why = whyNotRun(call);
      if (why !== undefined) return { kind: "not run", why };
      const { action, result } = call;
      const agent = await agentFor(call.taskCallId);
      if (action.toolName === "Shell")
        return await shellRunner(agent.binding === "host" ? agent.cwd : "/").run(call, signal);
      const tool = agent.tools.find(({ name }) => name === action.toolName);
      if (tool?.mcp !== undefined) return { kind: "not run", why: MCP_REASON };
      if (tool !== undefined && isStandIn(tool) && result?.error?.code !== "invalid-input")
        return { kind: "not run", why: `The tool ${tool.name} is not here; its recorded result stands.` };
      return await ownResult(agent, call, session, signal);
    },
  };
}

function whyNotRun({ action, result }: RecordedCall): string | undefined {
  if (action.mcp !== undefined) return MCP_REASON;
  if (Object.hasOwn(OUTSIDE_TOOLS, action.toolName)) return OUTSIDE_TOOLS[action.toolName];
  if (action.toolName === "task" && result?.status === "completed")
    return "The recording does not hold the subagent's log; its recorded result stands.";
  return undefined;
}

async function ownResult(
  bound: BoundAgent,
  call: RecordedCall,
  session: readonly SessionEvent[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { action, input, at, result } = call;
  const then = Date.parse(at);
  // The time of the recording: a tool that tells the time tells that of then.
  const clock = (): number => (Number.isNaN(then) ? 0 : then);
  const { inputText, callId } = action;
  const outcome = await callTool({
    bound,
    toolName: action.toolName,
    input,
    ...(inputText === undefined ? {} : { inputText }),
    invocationId: callId,
    ids: sessionIds(clock, seededRandom(callId)),
    clock,
    signal,
    session,
    dryRun: result?.stub === true,
  });
  return { kind: "result", result: outcome.result };
}

/** A subagent's session takes no call from outside; run again it is a session like any other. */
function withoutTask(started: SessionEvent): SessionEvent {
  if (started.type !== "session.started" || started.data.playground === undefined) return started;
  const { task: _task, ...playground } = started.data.playground;
  return { ...started, data: { ...started.data, playground } };
}

function recordedTools(started: SessionEvent | undefined): readonly OfferedTool[] {
  return started?.type === "session.started" ? (started.data.playground?.tools ?? []) : [];
}

/** The file tools of ours that the tree can serve, and the todos. */
function defaultBinding(started: SessionEvent | undefined, todos: ReturnType<typeof todoList>): BindForReexecution {
  const definition = started?.type === "session.started" ? started.data.playground?.definition : undefined;
  const name = definition?.["name"];
  return async (tree) => {
    const agent = defineAgent({
      name: typeof name === "string" && name !== "" ? name : "agent",
      instructions: "–",
      root: tree,
    });
    return await bindAgent(agent, tree, { todos });
  };
}

const STAND_IN = Symbol("stands in for a tool that is not here");

/** The tools the recording was offered, in its order; those that are not here stand in by name. */
function withRecordedTools(bound: BoundAgent, recorded: readonly OfferedTool[]): BoundAgent {
  if (recorded.length === 0) return bound;
  const tools = recorded.map((offered) => bound.tools.find(({ name }) => name === offered.name) ?? standIn(offered));
  return { ...bound, tools };
}

function standIn({ name, description, inputSchema }: OfferedTool): Tool {
  const tool: Tool & { [STAND_IN]: true } = {
    [STAND_IN]: true,
    name,
    description,
    inputSchema,
    effect: "write",
    native: false,
    execute: () => Promise.reject(new Error(`The tool ${name} is not here.`)),
    modelText: (output) => JSON.stringify(output),
  };
  return tool;
}

function isStandIn(tool: Tool): boolean {
  return STAND_IN in tool;
}
