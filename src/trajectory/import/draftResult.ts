import type { JsonValue } from "../../base";
import type { EventData } from "../../session";
import type { DraftCall } from "./draftCalls";
import type { ResultDraft } from "./importBuilder";

/** The data of a call's result. What a person refused is rejected, whatever its result says. */
export function resultData(
  call: DraftCall,
  result: Pick<ResultDraft, "status" | "error" | "durationMs" | "truncated" | "absent">,
  output: JsonValue,
): EventData["action.result"] {
  const { callId, toolName } = call.action;
  const { durationMs } = result;
  const status =
    call.denied !== undefined ? "rejected" : (result.status ?? (result.error === undefined ? "completed" : "failed"));
  const isError = status === "completed" ? {} : { isError: true };
  return {
    ...call.place,
    status,
    ...(status === "completed" ? {} : { error: errorOf(call, result, output) }),
    result: { kind: "tool-result", callId, toolName, output, ...isError },
    toolName,
    ...(durationMs === undefined || !(durationMs >= 0) ? {} : { durationMs }),
    ...(result.truncated === true ? { truncated: true } : {}),
    ...(result.absent === true ? { absent: true } : {}),
  };
}

function errorOf(call: DraftCall, result: Pick<ResultDraft, "error">, output: JsonValue) {
  if (result.error !== undefined) return result.error;
  if (call.denied !== undefined) return { code: "denied", message: call.denied };
  return { code: "tool-failed", message: typeof output === "string" && output !== "" ? output : "The call failed." };
}

/** The result of a call that has none when its turn ends. */
export function lackingResult(call: DraftCall): EventData["action.result"] {
  const { denied } = call;
  const message = denied ?? "The recording holds no result of this call.";
  const code = denied === undefined ? "interrupted" : "denied";
  return resultData(call, { status: denied === undefined ? "failed" : "rejected", error: { code, message } }, message);
}
