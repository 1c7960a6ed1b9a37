/** The name a person reads wherever the demo model answers. */
export const DEMO_MODEL_NAME = "Demo planner (rules, not AI)";

export const DEMO_MODEL_ID = "demo-planner";

export interface DemoModelSettings {
  readonly kind: "demo";
  /** Same prompt and seed, same stream. */
  readonly seed?: string;
  /** `natural` adds small delays, so that a person can watch; `instant` (the default) uses no timer. */
  readonly pace?: "instant" | "natural";
}

export interface OpenAICompatibleModelSettings {
  readonly kind: "openai-compatible";
  /** As the server's documentation gives it, usually ending in `/v1`. */
  readonly baseUrl: string;
  readonly modelId: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Size of the model's window in tokens, when the person knows it. */
  readonly contextTokens?: number;
}

/** Which model answers, without any credential: safe to store, export and share. */
export type ModelSettings = DemoModelSettings | OpenAICompatibleModelSettings;
