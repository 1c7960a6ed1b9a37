import type { BoundAgent } from "../agent";
import type { LanguageModelV4CallOptions } from "../model";
import { promptFromEvents } from "./promptFromEvents";
import type { SessionEvent } from "./sessionEvent";

/** What a model is sent as the log stands, settings aside: its prompt and the tools it is offered. */
export function modelRequest(bound: BoundAgent, log: readonly SessionEvent[]): LanguageModelV4CallOptions {
  const tools = bound.tools.map((tool) => ({
    type: "function" as const,
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema as object,
  }));
  return { prompt: promptFromEvents(bound, log), ...(tools.length === 0 ? {} : { tools }) };
}
