import { SourceError } from "./sourceError";

export interface FetchOptions {
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
  /** Called with the bytes of a body so far as they come. */
  readonly received?: (sizeBytes: number) => void;
}

/**
 * The body at an address and the answer it came with. Rejects with an AbortError when it was stopped.
 * @throws SourceError
 */
export async function fetchedBlob(
  url: string,
  maxBytes: number,
  { fetch = (input, init) => globalThis.fetch(input, init), signal, received }: FetchOptions,
): Promise<{ readonly blob: Blob; readonly response: Response }> {
  const { host } = new URL(url);
  let response: Response;
  try {
    response = await fetch(url, signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw error;
    const words = `${host} gave no answer: it is not reachable, or it does not let other pages read what it has (CORS)`;
    throw new SourceError("no-answer", words, url);
  }
  if (!response.ok) throw errorFromStatus(response.status, host, url);
  const tooLarge = () => {
    const megabytes = Math.round(maxBytes / 2 ** 20);
    return new SourceError("too-large", `What is at ${host} is over ${megabytes} MB`, url);
  };
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const step = await reader?.read().catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new SourceError("damaged", `The connection to ${host} broke off`, url);
    });
    if (step === undefined || step.done) break;
    sizeBytes += step.value.length;
    if (sizeBytes > maxBytes) {
      await reader?.cancel();
      throw tooLarge();
    }
    chunks.push(step.value);
    received?.(sizeBytes);
  }
  return { blob: new Blob(chunks), response };
}

function errorFromStatus(status: number, host: string, url: string): SourceError {
  if (status === 404 || status === 410) return new SourceError("not-found", `${host} has nothing at this address`, url);
  if (status === 401 || status === 403)
    return new SourceError("refused", `${host} does not give this to everybody`, url);
  return new SourceError("failed", `${host} answered ${status}`, url);
}
