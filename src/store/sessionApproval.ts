import type { InputRequest, InputResolution } from "../session";
import type { ApprovalAnswer } from "./sessionStoreState";

/** A person's answer as the log keeps it. */
export function resolutionFromAnswer(request: InputRequest, answer: ApprovalAnswer): InputResolution {
  const { requestId, kind, inputHash } = request;
  // What the person was shown is what the answer is about.
  const call = { requestId, kind, ...(inputHash === undefined ? {} : { inputHash }) };
  if (answer.kind === "always") return { ...call, outcome: "approved", response: { optionId: "always" } };
  if (answer.kind === "approve") {
    const input = answer.input === undefined ? {} : { input: answer.input };
    return { ...call, outcome: "approved", response: { optionId: "approve", ...input } };
  }
  const text = answer.words === "" ? {} : { text: answer.words };
  return { ...call, outcome: "denied", response: { optionId: "deny", ...text } };
}
