import type { JsonObject } from "../base";
import type { FileSystem, HostFilesApi } from "../fs";

/** What a factory of a tree is told. */
export interface RootContext {
  /** The session's id; the invocation's where a tool is called outside a session. */
  readonly sessionId: string;
  readonly agentName?: string;
  /** What continues the conversation from outside, where it can be. */
  readonly continuationKey?: string;
  /** What the host keeps for the agent beyond a session. */
  readonly host?: { readonly files: HostFilesApi };
}

/** Some of a tree's verbs; a tool is offered exactly when the verbs it needs are functions. */
export type PartialFileSystem = Partial<FileSystem>;

/** A tree, or a factory run once a session. */
export type VirtualTree =
  | PartialFileSystem
  | ((context: RootContext) => PartialFileSystem | Promise<PartialFileSystem>);

/** Options of the loop on the host's disk. */
export interface LocalOptions {
  /** Where each session gets a directory of its own. */
  readonly cwd?: string;
  /** The directory itself that the session works in. */
  readonly workspaceDir?: string;
  readonly sandbox?: boolean | JsonObject;
}

export interface HostRuntime {
  readonly kind: "local";
  readonly workspace: "host";
  readonly options: LocalOptions;
}

/** `tree` is absent for an empty one: `/` with no verbs. */
export interface VirtualRuntime {
  readonly kind: "local";
  readonly workspace: "virtual";
  readonly tree?: VirtualTree;
}

/** The loop runs here. */
export type LocalRuntime = HostRuntime | VirtualRuntime;

/** A remote loop that owns its tree. */
export interface CloudRuntime {
  readonly kind: "cloud";
  readonly options: JsonObject;
}

/** A remote loop with its own model and tools. */
export interface GrokbotRuntime {
  readonly kind: "grokbot";
}

/** Closed: authors call the constructors, code here dispatches on `kind` (docs/tools.md, section 6). */
export type Runtime = LocalRuntime | CloudRuntime | GrokbotRuntime;

/** The loop here, on the host's disk; the default where `runtime` is omitted. */
export function localRuntime(options: LocalOptions = {}): HostRuntime {
  return Object.freeze({ kind: "local", workspace: "host", options: Object.freeze({ ...options }) });
}

/** `localRuntime` with the host sandboxed. */
export function sandboxRuntime(options: Omit<LocalOptions, "sandbox"> = {}): HostRuntime {
  return localRuntime({ ...options, sandbox: true });
}

/** The loop here, on the tree passed and nothing else. */
export function virtualRuntime(tree?: VirtualTree): VirtualRuntime {
  const runtime = { kind: "local", workspace: "virtual" } as const;
  return Object.freeze(tree === undefined ? runtime : { ...runtime, tree });
}

export function cloudRuntime(options: JsonObject = {}): CloudRuntime {
  return Object.freeze({ kind: "cloud", options: Object.freeze({ ...options }) });
}

export function grokbotRuntime(): GrokbotRuntime {
  return Object.freeze({ kind: "grokbot" });
}

/** Which loop a runtime, or the older name of one, means. */
export function runtimeKind(runtime: Runtime | Runtime["kind"] | undefined): Runtime["kind"] {
  return typeof runtime === "object" ? runtime.kind : (runtime ?? "local");
}

export function isVirtual(runtime: Runtime | Runtime["kind"] | undefined): runtime is VirtualRuntime {
  return typeof runtime === "object" && runtime.kind === "local" && runtime.workspace === "virtual";
}
