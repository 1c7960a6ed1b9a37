import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { addressRefusal, limits } from "../base";
import { connectionAdvice, type PagePlace } from "./connectionAdvice";
import { createModel, type ModelServices } from "./createModel";
import { guardedStream } from "./guardedStream";
import { listModels } from "./listModels";
import { modelFailure, type ModelFailure } from "./modelFailure";
import { DEMO_MODEL_NAME, type ModelSettings, type OpenAICompatibleModelSettings } from "./modelSettings";
import { checkedBaseUrl } from "./openAICompatibleModel";

/** One thing a connection needs. The test ends at the first that fails, except a `Model` that is not listed, which some servers do not mind. */
export interface ConnectionStep {
  readonly step: "Address" | "Reach" | "Key" | "Model" | "Answer";
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

const LISTED_AT_MOST = 8;

/** Tries a model step by step and tells which step failed and what to do about it. Never throws. */
export async function* testConnection(
  settings: ModelSettings,
  services: ModelServices & { readonly page?: PagePlace },
  signal?: AbortSignal,
): AsyncGenerator<ConnectionStep, void, undefined> {
  if (settings.kind === "demo") {
    yield { step: "Answer", ok: true, detail: `${DEMO_MODEL_NAME} is part of the page: nothing to connect to.` };
    return;
  }
  let baseUrl: string;
  try {
    baseUrl = checkedBaseUrl(settings.baseUrl);
  } catch (error) {
    const detail = modelFailure(error).message;
    yield { step: "Address", ok: false, detail, fix: "For example http://localhost:11434/v1 for Ollama." };
    return;
  }
  const refusal = addressRefusal(baseUrl, services.page?.origin);
  if (refusal) {
    yield { step: "Address", ok: false, detail: refusal.message, fix: refusal.fix };
    return;
  }
  yield { step: "Address", ok: true, detail: baseUrl };

  let ids: readonly string[] | undefined;
  try {
    ids = await listModels(baseUrl, services, signal);
  } catch (error) {
    yield* listingFailed(modelFailure(error), baseUrl, services);
    return;
  }
  yield { step: "Reach", ok: true, detail: `${new URL(baseUrl).origin} answers.` };
  yield { step: "Key", ok: true, detail: services.keyring.has(baseUrl) ? "Accepted." : "None needed to list models." };
  yield modelStep(settings.modelId, ids);
  if (settings.modelId === "") return;
  yield await answerStep(settings, services, signal);
}

async function* listingFailed(
  failure: ModelFailure,
  baseUrl: string,
  services: ModelServices & { readonly page?: PagePlace },
): AsyncGenerator<ConnectionStep, void, undefined> {
  const detail = services.keyring.scrub(failure.message);
  if (failure.code === "auth") {
    yield { step: "Reach", ok: true, detail: `${new URL(baseUrl).origin} answers.` };
    const fix = services.keyring.has(baseUrl)
      ? "Check the key and its rights."
      : "This server wants a key: enter it beside the address.";
    yield { step: "Key", ok: false, detail, fix };
    return;
  }
  const fix =
    failure.code === "aborted"
      ? "Nothing came in time: is the server busy or the port right?"
      : connectionAdvice(baseUrl, failure.code, services.page ?? (await pagePlace()));
  yield { step: "Reach", ok: false, detail, ...(fix === undefined ? {} : { fix }) };
}

function modelStep(modelId: string, ids: readonly string[] | undefined): ConnectionStep {
  if (ids === undefined && modelId === "") {
    const detail = "No model is named, and nothing answers at /models of this address.";
    return { step: "Model", ok: false, detail, fix: "Name the model, and look whether the address should end in /v1." };
  }
  if (ids === undefined) return { step: "Model", ok: true, detail: "The server does not list its models." };
  // Ollama lists `name:latest` and answers to `name`.
  if (ids.includes(modelId) || ids.includes(`${modelId}:latest`)) {
    return { step: "Model", ok: true, detail: `${modelId} is listed.` };
  }
  const shown = ids.slice(0, LISTED_AT_MOST).join(", ") + (ids.length > LISTED_AT_MOST ? ", …" : "");
  return {
    step: "Model",
    ok: false,
    detail: modelId === "" ? "No model is named." : `${modelId} is not listed.`,
    fix: ids.length === 0 ? "The server lists no model: load or pull one first." : `It lists: ${shown}`,
  };
}

async function answerStep(
  settings: OpenAICompatibleModelSettings,
  services: ModelServices,
  signal?: AbortSignal,
): Promise<ConnectionStep> {
  const model = await createModel(settings, services);
  const abort = new AbortController();
  const options: LanguageModelV4CallOptions = {
    prompt: [{ role: "user", content: [{ type: "text", text: "Answer with the one word: ready" }] }],
    maxOutputTokens: 16,
    abortSignal: signal ? AbortSignal.any([signal, abort.signal]) : abort.signal,
  };
  const parts = guardedStream(() => model.doStream(options), { signal, stallMs: limits.connectionTestMs });
  try {
    for await (const part of parts) {
      if (part.type === "text-delta" || part.type === "reasoning-delta") {
        return { step: "Answer", ok: true, detail: `It streams: ${JSON.stringify(part.delta)}` };
      }
      if (part.type === "failed") {
        return {
          step: "Answer",
          ok: false,
          detail: services.keyring.scrub(part.failure.message),
          fix: answerFix(part.failure),
        };
      }
    }
  } finally {
    abort.abort();
  }
  return {
    step: "Answer",
    ok: false,
    detail: "The model ended without a word.",
    fix: "Try another model of this server.",
  };
}

function answerFix(failure: ModelFailure): string {
  if (failure.code === "stall") return "The model may still be loading: try again in a moment.";
  if (failure.code === "quota") return "The account behind the key has no credit left.";
  if (failure.code === "auth") return "The key may list models, but not use this one.";
  return "Does the server know this model, and does it speak /chat/completions?";
}

/** The page's own place, asked of the browser. */
async function pagePlace(): Promise<PagePlace> {
  const scope = globalThis as { location?: { origin: string }; navigator?: { permissions?: { query?: unknown } } };
  const place = { origin: scope.location?.origin };
  if (!scope.navigator?.permissions?.query) return place;
  for (const name of ["local-network-access", "loopback-network", "local-network"]) {
    try {
      const status = await navigator.permissions.query({ name: name as PermissionName });
      return { ...place, localNetwork: status.state };
    } catch {
      // A browser that does not know the permission rejects its name.
    }
  }
  return place;
}
