import type { AllowlistName, JsonObject } from "../base";
import type { FileSystem } from "../fs";
import type { LocalOptions, RootContext, Runtime } from "./runtime";

/** The tree itself, shared by every session, or a factory asked again before every turn (docs/filesystem.md, section 6). */
export type Root = FileSystem | ((context: RootContext) => FileSystem | Promise<FileSystem>);

/** When a person is asked before a tool runs: only where the tool itself asks, or before every write. */
export type ApprovalMode = "never" | "writes";

/** A validated, frozen agent. Made by `defineAgent`; its fields are those the author wrote. */
export interface AgentDefinition {
  readonly name: string;
  readonly description?: string;
  readonly instructions: string;
  /** Model settings as the author wrote them; read by the model layer. */
  readonly model?: JsonObject;
  /** The allowlist; it only narrows. Omitted: what the root offers. */
  readonly tools?: readonly AllowlistName[];
  /** Model calls of one turn. */
  readonly maxSteps?: number;
  readonly root?: Root;
  readonly runtime?: Runtime | "local" | "cloud" | "grokbot";
  /** The older form of `localRuntime`'s options. */
  readonly local?: LocalOptions;
  /** The older form of `cloudRuntime`'s options; for a local agent the base of an attach. */
  readonly cloud?: JsonObject;
  readonly approvals?: ApprovalMode;
}
