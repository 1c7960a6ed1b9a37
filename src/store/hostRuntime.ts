import type { JsonObject } from "../base";

/** An agent on the host's disk, as `agent.json` says it (`localRuntime(options)`). */
export interface HostRuntimeDocument {
  readonly kind: "local";
  readonly workspace: "host";
  readonly options?: {
    /** Under which each session gets a directory of its own. */
    readonly cwd?: string;
    /** The directory itself that sessions work in; the host's root when neither is named. */
    readonly workspaceDir?: string;
    readonly sandbox?: boolean | JsonObject;
  };
}

export function isHostRuntime(runtime: unknown): runtime is HostRuntimeDocument {
  if (typeof runtime !== "object" || runtime === null) return false;
  const { kind, workspace } = runtime as Readonly<Record<string, unknown>>;
  return kind === "local" && workspace === "host";
}
