import type { JsonObject } from "../../base";
import type { InputRequest, InputResolution, ToolCallAction } from "../../session";

interface DraftInput {
  readonly request: InputRequest;
  readonly resolution: InputResolution;
}

/** A question about a call and the person's decision; without one it was put aside. */
export function approvalInput(
  action: ToolCallAction,
  prompt: string,
  outcome: "approved" | "denied" | "pending",
  text: string | undefined,
): DraftInput {
  const base = { requestId: `request_${action.callId}`, kind: "tool-approval" as const };
  const options = [
    { id: "approve", label: "Approve" },
    { id: "deny", label: "Deny" },
  ];
  const request = { ...base, prompt, display: "confirmation" as const, options, action };
  if (outcome === "pending") return { request, resolution: { ...base, outcome: "cancelled" } };
  const optionId = outcome === "approved" ? "approve" : "deny";
  const response: JsonObject = { optionId, ...(text === undefined ? {} : { text }) };
  return { request, resolution: { ...base, outcome, response } };
}

/** A question of the model and what the person said; without an answer it was put aside. */
export function questionInput(
  requestId: string,
  action: ToolCallAction | undefined,
  prompt: string,
  answer: string | undefined,
): DraftInput {
  const base = { requestId, kind: "question" as const };
  const asking = action ?? { kind: "tool-call", callId: requestId, toolName: "question", input: {} };
  return {
    request: { ...base, prompt, display: "text", action: asking },
    resolution:
      answer === undefined
        ? { ...base, outcome: "cancelled" }
        : { ...base, outcome: "answered", response: { text: answer } },
  };
}
