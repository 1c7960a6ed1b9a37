import { limits } from "../base";
import type { ModelServices } from "./createModel";
import { modelFetch } from "./modelFetch";
import { checkedBaseUrl } from "./openAICompatibleModel";

/**
 * The ids a server lists at `/models`, in its order; `undefined` when it has no such list.
 *
 * @throws ModelError (no connection, not a base URL), or the response's status as `{ statusCode, message }`: read
 * either with `modelFailure`
 */
export async function listModels(
  baseUrl: string,
  services: ModelServices,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  const timeout = AbortSignal.timeout(limits.connectionTestMs);
  const response = await modelFetch(services)(`${checkedBaseUrl(baseUrl)}/models`, {
    headers: { accept: "application/json" },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  if (response.status === 404 || response.status === 405) return undefined;
  const text = await response.text();
  if (!response.ok) {
    throw Object.assign(new Error(messageIn(text) ?? (response.statusText || "refused")), {
      statusCode: response.status,
      responseBody: text,
      responseHeaders: Object.fromEntries(response.headers),
    });
  }
  return idsIn(text);
}

function idsIn(text: string): string[] | undefined {
  const list = (parsed(text) as { data?: unknown } | undefined)?.data;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item: { id?: unknown } | null) => (typeof item?.id === "string" ? [item.id] : []));
}

function messageIn(text: string): string | undefined {
  const error = (parsed(text) as { error?: { message?: unknown } | string } | undefined)?.error;
  if (typeof error === "string") return error;
  return typeof error?.message === "string" ? error.message : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
