import { limits } from "../../base";
import { PathError, PermissionError, QuotaError, ElsewhereError, WriteFailedError } from "../pathError";

/** One request to a store, about a path of it. */
export interface HostRequest {
  readonly path: string;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The whole answer to a request. It is read to its end at once: a browser holds back what is asked of the same address
 * until then.
 */
export interface HostAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  /** Where it came from after redirections. */
  readonly url: string;
  readonly redirected: boolean;
  readonly bytes: Uint8Array;
}

export interface HostRequestsOptions {
  /** Sends a request; may reject. */
  readonly send: (request: HostRequest) => Promise<Response>;
  /** What the server must allow for a page to use it, in words for whoever keeps the server. */
  readonly corsAdvice: string;
  /** Whether the store asks for the same request once more. */
  readonly asksAgain?: (answer: HostAnswer) => boolean;
}

/** Requests to one store: answers of any status come back, everything else is a PathError that says what to do. */
export class HostRequests {
  readonly #options: HostRequestsOptions;

  constructor(options: HostRequestsOptions) {
    this.#options = options;
  }

  /** @throws ElsewhereError when no answer came */
  async send(request: HostRequest): Promise<HostAnswer> {
    const { asksAgain } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#answer(request).catch((error: unknown) => this.#secondAnswer(request, error));
      const isLast = attempt >= limits.hostAttempts;
      if (isLast || asksAgain === undefined || !asksAgain(answer)) return answer;
      const waitMs = limits.hostRetryBaseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** A connection may break at any time; what changes nothing is asked once more. */
  async #secondAnswer(request: HostRequest, error: unknown): Promise<HostAnswer> {
    const isSafe = request.method === "GET" || request.method === "HEAD" || request.method === "PROPFIND";
    if (!isSafe || request.signal?.aborted || !(error instanceof PathError)) throw error;
    return this.#answer(request);
  }

  async #answer(request: HostRequest): Promise<HostAnswer> {
    // Contents take the time they take; all else is answered soon or not at all.
    const isQuick = request.method !== "GET" && request.method !== "PUT";
    const timeout = isQuick ? AbortSignal.timeout(limits.hostAnswerMs) : undefined;
    const signals = [request.signal, timeout].filter((signal) => signal !== undefined);
    try {
      const signal = signals.length > 0 ? { signal: AbortSignal.any(signals) } : {};
      const response = await this.#options.send({ ...request, ...signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status, ok, headers, url, redirected } = response;
      return { status, ok, headers, url, redirected, bytes };
    } catch (error) {
      if (error instanceof PathError || request.signal?.aborted) throw error;
      const { host } = new URL(request.url);
      if (timeout?.aborted) {
        const seconds = Math.round(limits.hostAnswerMs / 1000);
        throw new ElsewhereError(request.path, `${host} has not answered for ${seconds} seconds.`);
      }
      throw new ElsewhereError(
        request.path,
        `${host} gave no answer: it is not reachable, or it does not let this page use it (CORS). ${this.#options.corsAdvice}`,
      );
    }
  }
}

/** The error a status stands for. `detail` is what the store says itself. */
export function errorFromStatus(path: string, { status }: HostAnswer, detail?: string): PathError {
  const said = `The server answered ${status}${detail ? `: ${detail}` : "."}`;
  if (status === 401 || status === 403) return new PermissionError(path, said);
  if (status === 507) return new QuotaError(path);
  if (status === 423) return new WriteFailedError(path, `write failed: ${path} (somebody else has locked it)`);
  if (status === 413) return new WriteFailedError(path, `write failed: ${path} (the server takes no file that large)`);
  return new ElsewhereError(path, said);
}

/** The strong etag of an answer; `undefined` when it has none. @throws ElsewhereError for a weak one */
export function strongEtag(path: string, etag: string | null | undefined): string | undefined {
  if (etag === null || etag === undefined || etag === "") return undefined;
  if (etag.startsWith("W/")) throw new ElsewhereError(path, WEAK_ETAG);
  return etag;
}

const WEAK_ETAG =
  "The server names versions of files by weak etags, which cannot tell one write from the next: a change of somebody else could be lost.";

/** Bytes as `fetch` wants them typed. */
export function requestBody(body: Uint8Array | string | undefined): { body?: BodyInit } {
  return body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> | string };
}

export function textOf({ bytes }: HostAnswer): string {
  return new TextDecoder().decode(bytes);
}
