/** What discovery must know of a tool of the author's own. */
export interface AuthoredTool {
  readonly name: string;
  /** `server` where it runs beside the loop, which is the default; `agent` where it is a script the agent runs in a shell. */
  readonly execution?: "server" | "agent";
  readonly needsApproval?: boolean;
}

/** A child agent as its author wrote it. What it chooses for itself of its parent's is ignored. */
export interface AuthoredSubagent {
  readonly name: string;
  /** When to give it a task. */
  readonly description?: string;
  readonly instructions?: string;
  readonly hasRuntime?: boolean;
  readonly hasTools?: boolean;
  readonly hasSkills?: boolean;
  readonly hasConnections?: boolean;
}

/** What lies beside an agent's definition in its project. */
export interface AgentParts {
  readonly tools?: readonly AuthoredTool[];
  readonly connections?: readonly { readonly name: string; readonly advertiseTools?: boolean }[];
  readonly subagents?: readonly AuthoredSubagent[];
  readonly hasSkills?: boolean;
  /** Files that are put into a session's workspace when it begins. */
  readonly hasSeeds?: boolean;
  /** There is an `agent/evals/`. */
  readonly hasAgentEvals?: boolean;
}
