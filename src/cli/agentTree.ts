import { randomUUID } from "node:crypto";
import { resolveRoot } from "../agent";
import {
  DiscoveryError,
  virtualRuntime,
  type AgentDefinition,
  type DiscoveryFault,
  type FileSystem,
  type Root,
  type RootContext,
  type VirtualTree,
} from "../index";
import { errorSentence } from "./commandError";
import { authoredTree, emptyTree, type OpenedTree } from "./openTree";

/** A definition with the tree it works on there already. */
export interface AgentTree {
  readonly definition: unknown;
  readonly opened: OpenedTree;
  /** Whether it stands on a host's disk, as an agent does that names no tree. */
  readonly isHost: boolean;
  /** Why its own tree cannot be had. */
  readonly faults: readonly DiscoveryFault[];
}

/** Puts an agent on the tree of the command line, else on its own, else on an empty one in memory. */
export async function agentTree(
  definition: unknown,
  named: OpenedTree | undefined,
  sessionId: string = randomUUID(),
): Promise<AgentTree> {
  const fields = (typeof definition === "object" && definition !== null ? definition : {}) as AgentDefinition;
  if (named !== undefined) {
    const tree = virtualOf(fields) === undefined ? { root: named.tree } : { runtime: virtualRuntime(named.tree) };
    return { definition: { ...fields, ...tree }, opened: named, isHost: false, faults: [] };
  }
  try {
    const own = await ownTree(fields, { sessionId, agentName: fields.name });
    if (own === undefined) return { definition, opened: emptyTree(), isHost: runsHere(fields), faults: [] };
    return { definition: { ...fields, ...own.field }, opened: authoredTree(own.tree), isHost: false, faults: [] };
  } catch (error) {
    if (error instanceof DiscoveryError)
      return { definition, opened: emptyTree(), isHost: false, faults: error.faults };
    const field = virtualOf(fields) === undefined ? "root" : "runtime";
    const problem = `The tree cannot be had: ${errorSentence(error)}`;
    const fault = { field, problem, mend: "Mend what makes it, or give --root DIR." };
    return { definition, opened: emptyTree(), isHost: false, faults: [fault] };
  }
}

interface OwnTree {
  readonly tree: FileSystem;
  /** The field of the definition that holds it, what was made here served before anything is made anew. */
  readonly field: Pick<AgentDefinition, "root" | "runtime">;
}

async function ownTree(fields: AgentDefinition, context: RootContext): Promise<OwnTree | undefined> {
  const { root } = fields;
  const virtual = virtualOf(fields);
  if (virtual !== undefined) {
    const { root: _other, ...onVirtual } = fields;
    const tree = (await resolveRoot(onVirtual, context)) ?? {};
    return { tree: tree as FileSystem, field: { runtime: virtualRuntime(tree) } };
  }
  if (typeof root === "object" && root !== null) return { tree: root, field: {} };
  if (typeof root !== "function") return undefined;
  const first = (await resolveRoot(fields, context)) as FileSystem;
  return { tree: first, field: { root: firstOnce(first, root) } };
}

/** A factory whose first call has been made already. */
function firstOnce(first: FileSystem, factory: Extract<Root, (context: RootContext) => unknown>): Root {
  let isTaken = false;
  return (context) => {
    if (isTaken) return factory(context);
    isTaken = true;
    return first;
  };
}

/** Whether its loop runs here, and not elsewhere on a tree of that loop's own. */
function runsHere({ runtime }: AgentDefinition): boolean {
  const kind = typeof runtime === "object" && (runtime as unknown) !== null ? runtime.kind : runtime;
  return kind !== "cloud" && kind !== "grokbot";
}

function virtualOf({ runtime }: AgentDefinition): { readonly tree?: VirtualTree } | undefined {
  return typeof runtime === "object" && runtime?.kind === "local" && runtime.workspace === "virtual"
    ? runtime
    : undefined;
}
