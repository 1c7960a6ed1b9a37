import { addressRefusal, limits, reachability } from "../base";
import { throwIfStopped } from "./stopping";
import { WebError } from "./webError";

export interface WebRequestOptions {
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where a redirect must not carry a header; they are followed otherwise. */
  readonly refusesRedirects?: boolean;
}

/** What an address holds, as it came. */
export interface WebAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lower case, without parameters; `""` where the server said nothing. */
  readonly mediaType: string;
  readonly charset?: string;
  /** Where redirects led; the address itself where there were none. */
  readonly finalUrl: string;
}

/** @throws WebError (bad-address) */
export function webAddress(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new WebError("bad-address", `Not a web address: ${text}. It starts with https:// or http://.`, text);
  }
  if (url.username !== "" || url.password !== "") {
    throw new WebError("bad-address", "A web address may hold no user name and no password.", url.origin);
  }
  // What stands behind # is for whoever shows the page, and is never sent.
  url.hash = "";
  return url;
}

/**
 * Asks an address once, as nobody in particular: without cookies, without a referrer, with no header but those given.
 * Follows redirects. What is asked for must be there in time and within the size; `isWanted` may turn its kind down before
 * it is read.
 *
 * @throws WebError; an AbortError when the call is stopped
 */
export async function webRequest(
  url: URL,
  { signal, fetch = (input, init) => globalThis.fetch(input, init), headers = {}, ...options }: WebRequestOptions,
  isWanted: (mediaType: string) => boolean,
): Promise<WebAnswer> {
  throwIfStopped(signal);
  const refusal = addressRefusal(url.href);
  if (refusal !== undefined) throw new WebError("blocked", `${refusal.message} ${refusal.fix}`, url.href);
  const late = AbortSignal.timeout(limits.webRequestMs);
  const init: RequestInit = {
    headers: { accept: "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.5", ...headers },
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: options.refusesRedirects === true ? "error" : "follow",
    signal: AbortSignal.any([signal, late]),
  };
  try {
    const response = await fetch(url.href, init).catch(async (error: unknown) => {
      if (signal.aborted || late.aborted) throw error;
      throw await noAnswer(url, fetch, error, init);
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw statusError(response, url);
    }
    const { mediaType, charset } = contentType(response.headers.get("content-type") ?? "");
    if (!isWanted(mediaType)) {
      await response.body?.cancel();
      throw new WebError("not-text", `${url.href} is ${mediaType}, not text: it was not read.`, url.href);
    }
    const bytes = await bytesOf(response, url);
    return { bytes, mediaType, ...(charset === undefined ? {} : { charset }), finalUrl: response.url || url.href };
  } catch (error) {
    throwIfStopped(signal);
    if (error instanceof WebError || !late.aborted) throw error;
    const seconds = limits.webRequestMs / 1000;
    throw new WebError("timeout", `${url.origin} did not send all of it within ${seconds} seconds.`, url.href);
  }
}

/** Why a request failed before its answer could be seen. A browser does not say; asking again in other ways shows it. */
async function noAnswer(
  url: URL,
  fetch: typeof globalThis.fetch,
  error: unknown,
  init: RequestInit,
): Promise<WebError> {
  if (await redirects(url, fetch, init)) {
    const why =
      init.redirect === "error"
        ? ": use that one."
        : ", which gave no answer this page may read. The browser does not say which address it is; ask for that one to learn " +
          "more.";
    return new WebError("redirect", `${url.href} redirects to another address${why}`, url.href);
  }
  const { code, message } = await reachability(url.href, fetch, error);
  return new WebError(code, code === "cors" ? `${message} ${CORS_WORDS}` : message, url.href);
}

const CORS_WORDS =
  "Nothing on this side changes that: the server would have to send Access-Control-Allow-Origin. Try another address that " +
  "holds the same, for example an API or a raw file of it.";

async function redirects({ href }: URL, fetch: typeof globalThis.fetch, init: RequestInit): Promise<boolean> {
  try {
    const response = await fetch(href, { ...init, redirect: "manual" });
    await response.body?.cancel();
    return response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  } catch {
    return false;
  }
}

function statusError({ status, statusText }: Response, { origin, href }: URL): WebError {
  const words = [status, statusText].filter((part) => part !== "").join(" ");
  return new WebError("http-status", `${origin} answered ${words}.${statusAdvice(status)}`, href, status);
}

function statusAdvice(status: number): string {
  if (status === 401 || status === 403) return " It is not for everybody: this tool sends no keys and no cookies.";
  if (status === 404 || status === 410) return " There is nothing at this address.";
  if (status === 429) return " It was asked too often: wait, or use another address.";
  return status >= 500 ? " That is trouble of the server's own; it may pass." : "";
}

async function bytesOf(response: Response, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => {
    const megabytes = limits.webAnswerBytes / 2 ** 20;
    return new WebError("too-large", `${url.href} is over ${megabytes} MB: it was not read to its end.`, url.href);
  };
  const declared = Number(response.headers.get("content-length") ?? 0);
  const isEncoded = response.headers.has("content-encoding");
  if (!isEncoded && declared > limits.webAnswerBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const step = await reader?.read().catch((error: unknown) => {
      if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)) throw error;
      throw new WebError("cut", `The answer of ${url.origin} broke off.`, url.href);
    });
    if (step === undefined || step.done) break;
    sizeBytes += step.value.length;
    chunks.push(step.value);
    if (sizeBytes <= limits.webAnswerBytes) continue;
    await reader?.cancel();
    throw tooLarge();
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function contentType(header: string): { readonly mediaType: string; readonly charset?: string } {
  const [mediaType = "", ...parameters] = header.split(";").map((part) => part.trim());
  const charset = parameters.map((part) => /^charset="?([\w:.-]+)"?$/i.exec(part)?.[1]).find(Boolean);
  return { mediaType: mediaType.toLowerCase(), ...(charset === undefined ? {} : { charset }) };
}
