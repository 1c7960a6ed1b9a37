import { canonicalJson, sha256HexSync, type JsonObject } from "../base";
import type { AgentDefinition } from "./agentDefinition";

/** The definition as a log keeps it: without its trees, which are recorded as mounts and a snapshot. */
export function definitionJson(definition: AgentDefinition): JsonObject {
  const { root: _root, runtime, ...fields } = definition;
  const json: JsonObject = JSON.parse(JSON.stringify(fields)) as JsonObject;
  if (runtime === undefined) return json;
  if (typeof runtime === "string") return { ...json, runtime };
  const { tree: _tree, ...rest } = runtime as typeof runtime & { readonly tree?: unknown };
  return { ...json, runtime: JSON.parse(JSON.stringify(rest)) as JsonObject };
}

/** SHA-256 of the canonical `definitionJson`, in lower-case hex: equal definitions have equal hashes. */
export function definitionHash(definition: AgentDefinition): string {
  return sha256HexSync(canonicalJson(definitionJson(definition)));
}
