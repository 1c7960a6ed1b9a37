import { limits } from "../../base";

interface FetchOptions {
  readonly method?: string;
  readonly headers?: Headers | Record<string, string>;
  readonly body?: string;
  readonly followRedirects?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface FetchAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  readonly url: string;
}

/**
 * What `curl` asks with: the page's own `fetch`, without the person's cookies. A page sees answers only of servers that allow
 * it, and not why another one was refused.
 * @throws Error in words for whoever ran it
 */
export async function shellFetch(url: string, options: FetchOptions = {}): Promise<FetchAnswer> {
  const followsRedirects = options.followRedirects ?? true;
  const signals = [options.signal, options.timeoutMs && AbortSignal.timeout(options.timeoutMs)];
  const response = await asked(url, {
    method: options.method ?? "GET",
    headers: options.headers ?? {},
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: followsRedirects ? "follow" : "manual",
    signal: AbortSignal.any(signals.filter((signal) => signal instanceof AbortSignal)),
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  if (response.type === "opaqueredirect")
    throw new Error(`${url} redirects, and a browser does not show where to: use -L to follow`);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(response.headers),
    body: await boundedBody(response),
    url: response.url === "" ? url : response.url,
  };
}

async function asked(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(
      `no answer from ${url} that a web page may read: the server is out of reach, or does not allow pages of other origins (CORS)`,
      { cause: error },
    );
  }
}

async function boundedBody(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    chunks.push(read.value);
    sizeBytes += read.value.length;
    if (sizeBytes <= limits.shellDownloadBytes) continue;
    await reader?.cancel();
    throw new Error(`the answer is longer than ${limits.shellDownloadBytes} bytes, more than the shell holds`);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
