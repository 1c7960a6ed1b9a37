import { DiscoveryError } from "../base";
import type { FileSystem, Skill } from "../fs";
import { todoList, type TodoList } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { bindAgent, type BindOptions, type BoundAgent } from "./bindAgent";
import { defineSkill, hostSkillFiles, hostSkillFolder } from "./defineSkill";
import { bindingOf } from "./offeredToolNames";
import { resolveRoot } from "./resolveRoot";
import { isVirtual, runtimeKind, type PartialFileSystem, type RootContext } from "./runtime";
import { ownDirectory, sendTarget, sessionCwd, type SendOptions, type SendTarget } from "./sendTarget";

export interface AgentSessionOptions extends Omit<BindOptions, "binding" | "scratch" | "brief" | "cwd" | "skills"> {
  readonly sessionId: string;
  /** Told to factories of trees. */
  readonly continuationKey?: string;
  readonly host?: RootContext["host"];
  /** The host's disk, for an agent that names no tree of its own. */
  readonly hostTree?: FileSystem;
  /** The session's own directory there; `/sessions/<id>` when omitted. */
  readonly sessionDirectory?: string;
  /** Put on the host's disk before every turn; on another tree its author mounts them (`skillsFs`). */
  readonly skills?: readonly Skill[];
}

/**
 * What a session keeps of its agent between turns: the tree's handle, never a snapshot of what it holds; what the first
 * turn told of the tree; where it runs; and the scratch of a turn that has not ended.
 */
export interface AgentSession {
  /**
   * The agent for a turn that begins: a `root` factory is asked again, a virtual runtime's once a session.
   * @throws DiscoveryError where it cannot run as asked; whatever the author's factory throws, and the session goes on
   */
  beginTurn(sent?: SendOptions): Promise<BoundAgent>;
  /** The agent for a turn that waited for a person: on the same tree, with the same scratch. @throws as `beginTurn` */
  continueTurn(): Promise<BoundAgent>;
  /** Drops what is the turn's own. */
  endTurn(): void;
  /** The handle that serves between turns; none before the first. */
  readonly tree: FileSystem | PartialFileSystem | undefined;
}

export function agentSession(definition: AgentDefinition, options: AgentSessionOptions): AgentSession {
  return new LiveSession(definition, options);
}

class LiveSession implements AgentSession {
  readonly #definition: AgentDefinition;
  readonly #options: AgentSessionOptions;
  readonly #todos: TodoList;
  #tree: FileSystem | PartialFileSystem | undefined;
  #target: SendTarget | undefined;
  #brief: string | undefined;
  #turn: BoundAgent | undefined;

  constructor(definition: AgentDefinition, options: AgentSessionOptions) {
    this.#definition = definition;
    this.#options = options;
    this.#todos = options.todos ?? todoList();
  }

  get tree(): FileSystem | PartialFileSystem | undefined {
    return this.#tree;
  }

  async beginTurn(sent: SendOptions = {}): Promise<BoundAgent> {
    this.endTurn();
    const target = sendTarget(this.#definition, sent, this.#target);
    if (target.where === "cloud" || target.where === "grokbot") throw noEndpoint(this.#definition, target.where);
    const tree = target.where === "host" ? this.#hostTree() : await this.#treeForTurn();
    const turn = await this.#bound(tree, target);
    // Only now: a turn that could not begin has changed nothing of the session.
    this.#tree = tree;
    this.#target = target;
    this.#turn = turn;
    return turn;
  }

  async continueTurn(): Promise<BoundAgent> {
    return this.#turn ?? (await this.beginTurn());
  }

  endTurn(): void {
    this.#turn = undefined;
  }

  #hostTree(): FileSystem {
    const { hostTree } = this.#options;
    if (hostTree === undefined) throw noHost();
    return hostTree;
  }

  async #treeForTurn(): Promise<FileSystem | PartialFileSystem> {
    const { sessionId, continuationKey, host } = this.#options;
    if (isVirtual(this.#definition.runtime) && this.#tree !== undefined) return this.#tree;
    const tree = await resolveRoot(this.#definition, {
      sessionId,
      agentName: this.#definition.name,
      ...(continuationKey === undefined ? {} : { continuationKey }),
      ...(host === undefined ? {} : { host }),
    });
    // Only an agent that names a tree is asked for it.
    if (tree === undefined) throw noHost();
    return tree;
  }

  async #bound(tree: FileSystem | PartialFileSystem, target: SendTarget): Promise<BoundAgent> {
    const { hostTree: _host, sessionDirectory, skills = [], ...options } = this.#options;
    const { sessionId } = options;
    const local = target.where === "host" ? target.options : {};
    const cwd = sessionCwd(local, { sessionId, sessionDirectory: sessionDirectory ?? ownDirectory(sessionId) });
    const isHost = target.where === "host";
    if (isHost)
      for (const [path, contents] of hostSkillFiles(cwd, skills)) await (tree as FileSystem).write(path, contents);
    const bound = await bindAgent(this.#definition, tree, {
      ...options,
      todos: this.#todos,
      cwd,
      binding: isHost ? "host" : bindingOf(this.#definition, tree),
      skills: isHost ? hostSkillIndex(cwd, skills) : [],
      ...(this.#brief === undefined ? {} : { brief: this.#brief }),
    });
    this.#brief ??= bound.prompt.find(({ owner }) => owner === "brief")?.text ?? "";
    return bound;
  }
}

function hostSkillIndex(cwd: string, skills: readonly Skill[]): NonNullable<BindOptions["skills"]> {
  return skills.map(({ folder, text }) => {
    const { name, description } = defineSkill({ folder, markdown: text });
    return { name, description, path: `${hostSkillFolder(cwd, folder)}/SKILL.md` };
  });
}

function noEndpoint({ runtime }: AgentDefinition, where: "cloud" | "grokbot"): DiscoveryError {
  const isOwn = runtimeKind(runtime) === where;
  return new DiscoveryError([
    {
      field: isOwn ? "runtime" : "send.runtime",
      problem: `A ${where} loop runs elsewhere, and no endpoint is set up for it here.`,
      mend: isOwn ? "Leave runtime out to run the agent here." : "Send without it to run the session here.",
    },
  ]);
}

function noHost(): DiscoveryError {
  return new DiscoveryError([
    {
      field: "root",
      problem: "The agent names no tree, and there is no host's disk here.",
      mend: "Give it a root, or a virtualRuntime(fs).",
    },
  ]);
}
