import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelServices } from "./createModel";
import { keylessParts } from "./keylessParts";
import { ModelError } from "./modelError";
import { modelFetch } from "./modelFetch";
import type { OpenAICompatibleModelSettings } from "./modelSettings";

/** The name under which the provider's own data on parts is kept and sent back. */
const PROVIDER_NAME = "openaiCompatible";

/**
 * Any server that speaks OpenAI's chat completions: Ollama, LM Studio, llama.cpp, vLLM and hosted ones. Errors and
 * streams come out with keys scrubbed; nothing is retried here.
 *
 * @throws ModelError (bad-request) when the base URL is not one
 */
export async function openAICompatibleModel(
  settings: OpenAICompatibleModelSettings,
  services: ModelServices,
): Promise<LanguageModelV4> {
  const baseUrl = checkedBaseUrl(settings.baseUrl);
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  // A provider a call: its fetch reports the server's signs of life to that call's stream alone.
  const provider = (onAlive?: () => void): LanguageModelV4 =>
    createOpenAICompatible({
      name: PROVIDER_NAME,
      baseURL: baseUrl,
      includeUsage: true,
      convertUsage: usageFromServer,
      fetch: modelFetch(services, onAlive),
    }).chatModel(settings.modelId);
  const described = provider();

  return {
    specificationVersion: "v4",
    provider: described.provider,
    modelId: settings.modelId,
    supportedUrls: described.supportedUrls,
    doGenerate: (options) => described.doGenerate({ ...sampling(settings), ...options }),
    async doStream(options) {
      const alive: { signal: () => void } = { signal: () => undefined };
      const result = await provider(() => alive.signal()).doStream({ ...sampling(settings), ...options });
      return { ...result, stream: withPings(result.stream.pipeThrough(keylessParts(services.keyring)), alive) };
    },
  };
}

/** The URL without its trailing slash. @throws ModelError (bad-request) */
export function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ModelError("bad-request", `Not a base URL: ${baseUrl}. It starts with http:// or https://.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ModelError("bad-request", "A base URL holds no user name, password, query or fragment.");
  }
  return url.href.replace(/\/+$/, "");
}

function sampling(settings: OpenAICompatibleModelSettings): { temperature?: number; maxOutputTokens?: number } {
  return {
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.maxOutputTokens === undefined ? {} : { maxOutputTokens: settings.maxOutputTokens }),
  };
}

interface ServerUsage {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null | undefined } | null | undefined;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null | undefined } | null | undefined;
}

/** A figure the server did not report is unknown: the package's own conversion makes it 0. */
function usageFromServer(usage: (ServerUsage & Record<string, unknown>) | null | undefined): LanguageModelV4Usage {
  const input = usage?.prompt_tokens ?? undefined;
  const output = usage?.completion_tokens ?? undefined;
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
  const difference = (total?: number, part?: number): number | undefined =>
    total === undefined || part === undefined ? undefined : Math.max(0, total - part);
  return {
    inputTokens: { total: input, noCache: difference(input, cacheRead), cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: difference(output, reasoning), reasoning },
    ...(usage ? { raw: JSON.parse(JSON.stringify(usage)) as NonNullable<LanguageModelV4Usage["raw"]> } : {}),
  };
}

/** The stream with a `ping` for each sign of life that makes no part: keep-alive comments while a server thinks. */
function withPings(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  alive: { signal: () => void },
): ReadableStream<LanguageModelV4StreamPart> {
  return stream.pipeThrough(
    new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      start(controller) {
        alive.signal = () => controller.enqueue({ type: "ping" });
      },
      flush() {
        alive.signal = () => undefined;
      },
    }),
  );
}
