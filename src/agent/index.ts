/**
 * Who acts: an agent as its author wrote it, and that agent bound to a tree.
 *
 * - *definition*: what the author wrote, checked and frozen; the same value from the editor and from code.
 * - *fault*: what refuses a definition; *warning*: what will be ignored or is odd. Both name the field and the mend.
 * - *allowlist*: the definition's `tools`; it only narrows. Its *file-family* names stand for native file tools.
 * - *binding*: what the tools stand on: the `root`, a virtual runtime's tree, or the host's disk.
 * - *bound agent*: a definition with its tree, the tools offered on it, and the parts of its prompt.
 */
export type { AgentDefinition, ApprovalMode, Root } from "./agentDefinition";
export type { AgentParts, AuthoredSubagent, AuthoredTool } from "./agentParts";
export { agentReport, type AgentReport, type ReportedTool, type ReportOptions } from "./agentReport";
export { agentSession, type AgentSession, type AgentSessionOptions } from "./agentSession";
export { assertAsOf, instantMs, isLaterInstant } from "./asOf";
export { bindAgent, type BindOptions, type BoundAgent } from "./bindAgent";
export type { RefusedTool, ToolOwner } from "./boundTools";
export { childAgent } from "./childAgent";
export { defineAgent } from "./defineAgent";
export { defineConnection, type ConnectionAuth, type ConnectionDefinition } from "./defineConnection";
export { defineSkill, hostSkillFolder, skillFromFile, type DefinedSkill, type SkillDefinition } from "./defineSkill";
export { definitionHash, definitionJson } from "./definitionJson";
export { discover, type Discovery } from "./discover";
export { definitionSchema } from "./fieldFaults";
export { resolveRoot } from "./resolveRoot";
export { seedFiles } from "./seedFiles";
export { sendTarget, sessionCwd, type SendOptions, type SendTarget } from "./sendTarget";
export { treeWithScratch, type TurnScratch } from "./turnScratch";
export {
  cloudRuntime,
  grokbotRuntime,
  localRuntime,
  sandboxRuntime,
  virtualRuntime,
  type CloudRuntime,
  type GrokbotRuntime,
  type HostRuntime,
  type LocalOptions,
  type LocalRuntime,
  type PartialFileSystem,
  type RootContext,
  type Runtime,
  type VirtualRuntime,
  type VirtualTree,
} from "./runtime";
