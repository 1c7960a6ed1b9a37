import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Keyring } from "../secrets";
import { DEMO_MODEL_NAME, type ModelSettings } from "./modelSettings";

/** What a model needs from outside. */
export interface ModelServices {
  /** Keys by origin, asked for at each call; whatever a server answers passes through its `scrub`. */
  readonly keyring: Keyring;
  readonly fetch?: typeof globalThis.fetch;
}

/** The model the settings name; its code is loaded only when it is chosen. @throws ModelError (bad-request) */
export async function createModel(settings: ModelSettings, services: ModelServices): Promise<LanguageModelV4> {
  if (settings.kind === "demo") {
    const { demoPlanner } = await import("./demo/demoPlanner");
    return demoPlanner({ seed: settings.seed ?? "demo", pace: settings.pace ?? "instant" });
  }
  const { openAICompatibleModel } = await import("./openAICompatibleModel");
  return openAICompatibleModel(settings, services);
}

/** What a person reads where this model answers. */
export function modelName(settings: ModelSettings): string {
  return settings.kind === "demo" ? DEMO_MODEL_NAME : settings.modelId;
}
