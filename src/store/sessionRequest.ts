import type { JsonObject } from "../base";
import { requestDifference, requestParts, type ChangedPart, type RequestPart, type SessionState } from "../session";
import type { ProjectStore } from "../storage";

/** The exact request of a step, cut into parts by owner and held against the step before. */
export interface StepRequest {
  readonly stepId: string;
  readonly modelId: string;
  readonly parts: readonly RequestPart[];
  /** The parts as they differ from the step before, those that are gone last; absent for the first step. */
  readonly difference?: readonly ChangedPart[];
  /** The step before. */
  readonly comparedWith?: string;
  /** The request as sent, credentials aside, as formatted JSON. */
  readonly json: string;
}

/** The request of a step; absent when it was not kept. */
export async function sessionRequest(
  state: SessionState,
  stepId: string,
  blobs: ProjectStore["blobs"],
): Promise<StepRequest | undefined> {
  const index = state.steps.findLastIndex((step) => step.id === stepId);
  const step = state.steps.get(index);
  const before = state.steps.get(index - 1);
  const [request, requestBefore] = await Promise.all([
    requestJson(step?.request?.blob, blobs),
    requestJson(before?.request?.blob, blobs),
  ]);
  if (step === undefined || request === undefined) return undefined;
  const parts = requestParts(request);
  return {
    stepId,
    modelId: step.modelId,
    parts,
    ...(before === undefined || requestBefore === undefined
      ? {}
      : { difference: requestDifference(requestParts(requestBefore), parts), comparedWith: before.id }),
    json: JSON.stringify(request, undefined, 2),
  };
}

async function requestJson(blob: string | undefined, blobs: ProjectStore["blobs"]): Promise<JsonObject | undefined> {
  const text = blob === undefined ? undefined : await blobs.getText(blob);
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}
