import type { JsonObject, JsonValue } from "../base";
import { isLaterInstant, instantMs, type BoundAgent } from "../agent";
import { NoMountError } from "../fs";
import { checkToolInput, inputOnScratch, normalizeToolInput, type Tool } from "../tools";
import type { WrittenCall } from "./callModel";
import { allowedTools } from "./openTurn";
import type { ToolCallAction } from "./sessionEvent";
import { failureFromError, type TaskResume, type TurnFailure, type TurnRun } from "./turnRun";

/** What is to be done with a call: run it, stub it, ask a person first, or answer it with an error. */
export type PlannedCall =
  | {
      readonly kind: "run" | "stub" | "ask";
      readonly action: ToolCallAction;
      readonly tool: Tool;
      readonly input: JsonObject;
      /** A subagent that goes on where it waited. */
      readonly resume?: TaskResume;
    }
  | {
      readonly kind: "refuse";
      readonly action: ToolCallAction;
      readonly status: "failed" | "rejected";
      readonly error: TurnFailure;
    };

/** The call as it is logged: arguments as the model meant them, empty ones when they are no JSON object. */
export function actionFrom(call: WrittenCall, tools: readonly Tool[]): ToolCallAction {
  const input = objectFromText(call.inputText);
  const { mcp } = tools.find(({ name }) => name === call.toolName) ?? {};
  return {
    kind: "tool-call",
    callId: call.callId,
    toolName: call.toolName,
    input: input ?? {},
    ...(input === undefined ? { inputText: call.inputText } : {}),
    ...(call.providerMetadata === undefined ? {} : { providerMetadata: call.providerMetadata }),
    ...(mcp === undefined ? {} : { mcp }),
  };
}

/** The checks that stand before every call, in their order (docs/runtime.md, section 3). */
export async function planCall(run: TurnRun, action: ToolCallAction): Promise<PlannedCall> {
  const { bound } = run;
  const approvals = run.options.approvals ?? bound.definition.approvals ?? "never";
  const names = bound.tools.map((tool) => tool.name).join(", ");
  const refuse = (code: string, problem: string): PlannedCall => ({
    kind: "refuse",
    action,
    status: "failed",
    error: { code, message: run.scrub(`${problem} The tools are: ${names === "" ? "none" : names}.`) },
  });
  const tool = bound.tools.find((offered) => offered.name === action.toolName);
  if (tool === undefined) return refuse("unknown-tool", `There is no tool named ${action.toolName}.`);
  if (action.inputText !== undefined) {
    return refuse("invalid-input", `The arguments of ${tool.name} are not a JSON object; send one.`);
  }
  const input = meantInput(bound, tool.name, action.input);
  const timeProblem = run.asOf === undefined ? undefined : timeArgumentProblem(tool, input, run.asOf);
  if (timeProblem !== undefined) {
    return {
      kind: "refuse",
      action,
      status: "failed",
      error: { code: "invalid-input", message: run.scrub(timeProblem) },
    };
  }
  const isStubbed = tool.effect === "write" && run.dryRun;
  const isAsked = !isStubbed && isGated(run, tool, approvals);
  // What runs is checked in full by the tool itself; nobody is asked about, or told of, a call that could not have run.
  const fault = isStubbed || isAsked ? await inputFault(run, tool, input) : undefined;
  if (fault !== undefined) return { kind: "refuse", action, status: "failed", error: fault };
  if (isStubbed) return { kind: "stub", action, tool, input };
  if (isAsked) return { kind: "ask", action, tool, input };
  return { kind: "run", action, tool, input };
}

function isGated(run: TurnRun, tool: Tool, approvals: "never" | "writes"): boolean {
  const asks = tool.needsApproval === true || (approvals === "writes" && tool.effect === "write");
  return asks && !allowedTools(run.log).has(tool.name) && run.options.allowedTools?.has(tool.name) !== true;
}

/** The error the tool itself would end with if it ran, as far as that is known beforehand. */
async function inputFault(run: TurnRun, tool: Tool, input: JsonObject): Promise<TurnFailure | undefined> {
  try {
    await checkToolInput(tool, input);
  } catch (error) {
    return failureFromError(error, run.scrub, "invalid-input");
  }
  const path = input["path"];
  if (!tool.native || tool.name !== "Write" || typeof path !== "string") return undefined;
  const error = await noMountError(run.bound, path);
  return error && failureFromError(error, run.scrub, "tool-failed");
}

/** Why nothing can be written at a path that no mount serves; what is there, or could be, is told by reading it. */
async function noMountError({ tree }: BoundAgent, path: string): Promise<NoMountError | undefined> {
  try {
    if ((await tree.stat(path)).kind === "missing") await tree.read(path);
  } catch (error) {
    if (error instanceof NoMountError) return error;
  }
  return undefined;
}

/** The arguments by their published names; a host's path of a spilled result is the one in the turn's scratch. */
function meantInput({ scratch }: BoundAgent, toolName: string, written: JsonObject): JsonObject {
  const input = normalizeToolInput(toolName, written);
  return scratch === undefined ? input : inputOnScratch(toolName, input, scratch.cwd);
}

/** In a session with a frozen instant, the bounds a tool names must be absolute and not after it. */
function timeArgumentProblem(tool: Tool, input: JsonObject, asOf: string): string | undefined {
  const problems = (tool.timeArgs ?? []).flatMap((name) => {
    const problem = boundProblem(input[name], asOf);
    return problem === undefined ? [] : [`the argument "${name}" ${problem}`];
  });
  if (problems.length === 0) return undefined;
  return `${tool.name}: ${problems.join("; ")}. Retry with absolute bounds: ISO-8601 with a zone, not later than ${asOf}.`;
}

function boundProblem(value: JsonValue | undefined, asOf: string): string | undefined {
  if (value === undefined || value === null) return "is missing";
  if (typeof value !== "string" || instantMs(value) === undefined)
    return `is no absolute instant with a zone (${JSON.stringify(value)})`;
  return isLaterInstant(value, asOf) ? `is later than the session's now (${JSON.stringify(value)})` : undefined;
}

function objectFromText(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
