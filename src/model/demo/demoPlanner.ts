import type { LanguageModelV4 } from "@ai-sdk/provider";
import { DEMO_MODEL_ID } from "../modelSettings";

export interface DemoPlannerOptions {
  /** Same prompt and seed, same stream. */
  readonly seed?: string;
  readonly pace?: "instant" | "natural";
}

export function demoPlanner(_options: DemoPlannerOptions = {}): LanguageModelV4 {
  const notYet = (): never => {
    throw new Error("not built yet");
  };
  return {
    specificationVersion: "v4",
    provider: "demo",
    modelId: DEMO_MODEL_ID,
    supportedUrls: {},
    doGenerate: notYet,
    doStream: notYet,
  };
}
