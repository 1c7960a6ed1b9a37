import type { AllowlistName } from "../base";
import type { ToolEffect } from "./tool";

/** What the tools under an allowlist name do to the world; an author cannot relabel them. */
const EFFECTS: Readonly<Record<AllowlistName, ToolEffect>> = {
  read: "read",
  ls: "read",
  grep: "read",
  glob: "read",
  semSearch: "read",
  readLints: "read",
  webSearch: "read",
  webFetch: "read",
  readTodos: "read",
  edit: "write",
  delete: "write",
  shell: "write",
  // What a child does is gated call by call, as its parent's calls are.
  task: "always",
  updateTodos: "always",
  // Unless the tool of the connection declares itself read-only.
  mcp: "write",
};

export function effectOfAllowlistName(name: AllowlistName): ToolEffect {
  return EFFECTS[name];
}
