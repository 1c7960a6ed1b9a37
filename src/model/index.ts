/**
 * Models behind one interface, the AI SDK's `LanguageModelV4`.
 *
 * - *settings*: which model answers, as plain data without credentials.
 * - *demo planner*: rules that plan from the tools offered; the default, and no AI.
 * - *guarded stream*: a provider's stream with exactly one terminal part, `finish` or `failed`.
 * - *failure*: why a call failed, as data; *retry delay*: when to send it again, if at all.
 * - *cut*, *stall*, *stop*: the stream ended early, went silent, or the person ended it: three different ends.
 */
export type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
export { createModel, modelName, type ModelServices } from "./createModel";
export { guardedStream, type GuardOptions, type GuardedPart } from "./guardedStream";
export { listModels } from "./listModels";
export { ModelError, type ModelFailureCode } from "./modelError";
export { modelFailure, type ModelFailure } from "./modelFailure";
export {
  DEMO_MODEL_ID,
  DEMO_MODEL_NAME,
  type DemoModelSettings,
  type ModelSettings,
  type OpenAICompatibleModelSettings,
} from "./modelSettings";
export { providerSearch, type ProviderSearch, type ProviderSearchAnswer } from "./providerSearch";
export { retryDelayMs } from "./retryDelayMs";
export { testConnection, type ConnectionStep } from "./testConnection";
export { surrogateJoiner, wellFormed, type SurrogateJoiner } from "./wellFormed";
