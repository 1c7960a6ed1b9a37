import type { AllowlistName, JsonObject, JsonValue } from "../base";
import type { ExperimentPlan } from "../experiment";
import type { HostKind } from "../host";
import type { ModelSettings } from "../model";
import type { RecordedMount } from "../session";
import { agentViews, type AgentView } from "./editorDocument";
import { isConnectionRecord, type ConnectionRecord } from "./connectionRecord";
import type { HostRuntimeDocument } from "./hostRuntime";
import { isMountRecord, type MountRecord } from "./mountRecord";

/** The agent of a project as its documents say it: `instructions.md` and `agent.json` of the editor. */
export interface AgentDocument {
  readonly name: string;
  readonly description?: string;
  readonly instructions: string;
  readonly tools?: readonly AllowlistName[];
  readonly maxSteps?: number;
  /**
   * The mounts are the tree of a virtual runtime; its root, when absent. `"local"` says no more than leaving it out. On the
   * host the agent has the host's disk alone.
   */
  readonly runtime?: { readonly kind: "local"; readonly workspace: "virtual" } | HostRuntimeDocument | "local";
  /** Whether every write waits for a person; never, when absent. */
  readonly approvals?: "never" | "writes";
}

export interface CompareVariant {
  readonly id: string;
  readonly label: string;
  readonly instructions: string;
}

export interface CompareDocument {
  readonly variants: readonly CompareVariant[];
  readonly prompts: readonly string[];
  /** Runs of each variant on each prompt; 1 when absent. */
  readonly repeats?: number;
  /** Runs at the same time; 2 when absent. */
  readonly concurrency?: number;
  /** The files the arms begin with: as they are now, when absent, or as they were before the last run in Run. */
  readonly start?: "now" | "before-run";
  /** The last comparison that was begun. */
  readonly last?: CompareRecord;
}

/** How many runs a comparison of this would be. */
export function plannedRunCount({ prompts, repeats = 1 }: CompareDocument): number {
  return prompts.filter((prompt) => prompt.trim() !== "").length * repeats * 2;
}

/** A comparison as the project keeps it: all that is needed to show it again and to go on with it. */
export interface CompareRecord {
  readonly plan: ExperimentPlan;
  /** The agent the variants' instructions stood in for. */
  readonly agent: AgentDocument;
  /** Absent in an import: it may name somebody else's server. */
  readonly model?: ModelSettings;
  readonly mounts: readonly RecordedMount[];
  /** Root hash of the tree every run began on. */
  readonly tree: string;
  /** The session of each run that was begun, by the run's id. */
  readonly sessions: Readonly<Record<string, string>>;
}

export type WorkMode = "run" | "compare" | "replay";

/** Everything a project keeps besides files, sessions and blobs. */
export interface ProjectDocument {
  readonly agent: AgentDocument;
  readonly model: ModelSettings;
  readonly mounts: readonly MountRecord[];
  readonly compare: CompareDocument;
  /** What stands in the message box. */
  readonly draft: string;
  readonly mode: WorkMode;
  /** The sample, on the very first visit: a prompt that is sent once by itself. Never in an import. */
  readonly runsItself?: string;
  /** Root hash of the mounts as they were when the last run began, each in a directory of its own. */
  readonly baseline?: string;
  /** Disks of removed mounts, to be deleted when their removal can no longer be undone. */
  readonly removedDisks?: readonly string[];
  /** Tabs of the editor. */
  readonly openDocuments?: readonly string[];
  readonly activeDocument?: string;
  /** How the agent definition was last shown. */
  readonly agentView?: AgentView;
  /** What runs the commands of the project's host; the embedded one, when absent. */
  readonly host?: HostKind;
  /** MCP servers; never in an import. */
  readonly connections?: readonly ConnectionRecord[];
  /** The search service a person named; never in an import. */
  readonly webSearch?: { readonly endpoint: string };
}

export const emptyProjectDocument: ProjectDocument = {
  agent: { name: "Agent", instructions: "You work on the files you are given. Answer in one short paragraph.\n" },
  model: { kind: "demo", pace: "natural" },
  mounts: [
    { id: "mount_1", prefix: "/work", kind: "idb", readOnly: false, color: 1, disk: "work" },
    { id: "mount_2", prefix: "/notes", kind: "memory", readOnly: false, color: 2 },
  ],
  compare: {
    variants: [
      {
        id: "a",
        label: "Baseline",
        instructions: "You work on the files you are given. Answer in one short paragraph.\n",
      },
      { id: "b", label: "Variant", instructions: "You work on the files you are given. Search before you read.\n" },
    ],
    prompts: ["List the files and say what they are for."],
  },
  draft: "",
  mode: "run",
};

/** The document in what was stored; a missing or damaged part takes the value of an empty project. */
export function projectDocumentFromJson(stored: JsonObject): ProjectDocument {
  const empty = emptyProjectDocument;
  const part = <Key extends keyof ProjectDocument>(
    key: Key,
    fits: (value: JsonValue) => boolean,
  ): ProjectDocument[Key] => {
    const value = stored[key];
    return value !== undefined && fits(value) ? (value as unknown as ProjectDocument[Key]) : empty[key];
  };
  const isText = (value: JsonValue) => typeof value === "string";
  return {
    agent: part(
      "agent",
      (value) => isObject(value) && isText(value["name"] ?? null) && isText(value["instructions"] ?? null),
    ),
    model: part("model", (value) => isObject(value) && isText(value["kind"] ?? null)),
    mounts: part("mounts", (value) => Array.isArray(value) && value.every(isMountRecord)),
    compare: part(
      "compare",
      (value) =>
        isObject(value) &&
        Array.isArray(value["variants"]) &&
        Array.isArray(value["prompts"]) &&
        (value["last"] === undefined || isCompareRecord(value["last"])),
    ),
    draft: part("draft", isText),
    mode: part("mode", (value) => value === "run" || value === "compare" || value === "replay"),
    ...optional("runsItself", part("runsItself", isText)),
    ...optional("baseline", part("baseline", isText)),
    ...optional("removedDisks", part("removedDisks", Array.isArray)),
    ...optional("openDocuments", part("openDocuments", Array.isArray)),
    ...optional("activeDocument", part("activeDocument", isText)),
    ...optional(
      "agentView",
      part("agentView", (value) => (agentViews as readonly JsonValue[]).includes(value)),
    ),
    ...optional(
      "host",
      part("host", (value) => value === "embedded" || value === "webcontainer"),
    ),
    ...optional(
      "connections",
      part("connections", (value) => Array.isArray(value) && value.every(isConnectionRecord)),
    ),
    ...optional(
      "webSearch",
      part("webSearch", (value) => isObject(value) && isText(value["endpoint"] ?? null)),
    ),
  };
}

export function jsonFromProjectDocument(document: ProjectDocument): JsonObject {
  return document as unknown as JsonObject;
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [key in Key]?: Value });
}

function isObject(value: JsonValue): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isCompareRecord(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const { plan, agent, mounts, tree, sessions } = value;
  return (
    isObject(plan ?? null) &&
    isObject(agent ?? null) &&
    Array.isArray(mounts) &&
    typeof tree === "string" &&
    isObject(sessions ?? null)
  );
}
