import { createHash } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { listening } from "./freePort.suite";
import type { S3Credentials } from "./s3Files";
import { signatureProblem } from "./signatureV4.suite";

export interface S3ServerOptions {
  readonly credentials: S3Credentials;
  /** Keys of one page of a listing. */
  readonly pageKeys?: number;
  /** Whether it takes notice of conditions. */
  readonly keepsConditions?: boolean;
  /** Whether pages of other addresses may use it, as a bucket's CORS rules say. */
  readonly letsPagesIn?: boolean;
}

export interface S3Server {
  readonly port: number;
  /** Every bucket's objects, by bucket and key. */
  readonly objects: Map<string, { readonly bytes: Uint8Array; readonly etag: string }>;
  /** Requests by method, path and status. */
  readonly log: string[];
  /** How many conditional writes are told to come again before one is let through. */
  conflictsToCome: number;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, PUT, DELETE",
  // A star does not stand for this one.
  "Access-Control-Allow-Headers": "authorization, *",
  "Access-Control-Expose-Headers": "ETag",
};

/** A bucket server as small as can be: signatures verified, conditions kept, listings in pages, both ways to name a bucket. */
export async function s3Server(options: S3ServerOptions): Promise<S3Server> {
  const state: Omit<S3Server, "port" | "stop"> = { objects: new Map(), log: [], conflictsToCome: 0 };
  const server = createServer((request, response) => {
    const respond = async () => {
      const rules = options.letsPagesIn ? CORS_HEADERS : {};
      if (options.letsPagesIn && request.method === "OPTIONS") return response.writeHead(204, rules).end();
      const { status, headers, body } = await answerOf(state, options, request);
      state.log.push(`${request.method} ${request.url} ${status}`);
      return response.writeHead(status, { ...rules, ...headers }).end(request.method === "HEAD" ? undefined : body);
    };
    void respond();
  });
  const port = await listening(server);
  return Object.assign(state, { port, stop: () => new Promise<void>((resolve) => void server.close(() => resolve())) });
}

async function answerOf(
  state: Omit<S3Server, "port" | "stop">,
  options: S3ServerOptions,
  request: IncomingMessage,
): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const [path = "", search = ""] = (request.url ?? "").split("?");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const problem = signatureProblem({ method: request.method ?? "", path, search, headers }, options.credentials, body);
  if (problem !== undefined) return failure(403, problem);
  const host = (headers.host ?? "").replace(/:\d+$/, "");
  const decoded = decodeURIComponent(path).slice(1);
  const isVirtual = host.endsWith(".localhost");
  const bucket = isVirtual ? host.replace(/\.localhost$/, "") : (decoded.split("/")[0] ?? "");
  const key = isVirtual ? decoded : decoded.slice(bucket.length + 1);
  const parameters = new URLSearchParams(search);
  if (key === "" && parameters.get("list-type") === "2") return listing(state, options, bucket, parameters);
  return objectAnswer(state, options, `${bucket}/${key}`, { ...headers, method: request.method ?? "" }, body);
}

function objectAnswer(
  state: Omit<S3Server, "port" | "stop">,
  { keepsConditions = true }: S3ServerOptions,
  name: string,
  headers: Record<string, string>,
  body: Uint8Array,
): Answer {
  const there = state.objects.get(name);
  const isRead = headers.method === "GET" || headers.method === "HEAD";
  if (isRead && there === undefined) return failure(404, "NoSuchKey");
  if (isRead && there !== undefined) {
    const length = { "Content-Length": String(there.bytes.length), "Last-Modified": "Mon, 30 Nov 2026 12:00:00 GMT" };
    return { status: 200, headers: { ETag: there.etag, ...length }, body: there.bytes };
  }
  const isConditional = headers["if-match"] !== undefined || headers["if-none-match"] !== undefined;
  if (isConditional && state.conflictsToCome > 0) {
    state.conflictsToCome--;
    return failure(409, "ConditionalRequestConflict");
  }
  if (keepsConditions && headers["if-match"] !== undefined) {
    if (there === undefined) return failure(404, "NoSuchKey");
    if (headers["if-match"] !== there.etag) return failure(412, "PreconditionFailed");
  }
  if (keepsConditions && headers["if-none-match"] === "*" && there !== undefined)
    return failure(412, "PreconditionFailed");
  if (headers.method === "DELETE") {
    state.objects.delete(name);
    return { status: 204 };
  }
  const etag = `"${createHash("md5").update(body).digest("hex")}"`;
  state.objects.set(name, { bytes: body, etag });
  return { status: 200, headers: { ETag: etag } };
}

function listing(
  { objects }: Omit<S3Server, "port" | "stop">,
  { pageKeys = 1_000 }: S3ServerOptions,
  bucket: string,
  parameters: URLSearchParams,
): Answer {
  const prefix = parameters.get("prefix") ?? "";
  const delimiter = parameters.get("delimiter");
  const shown = new Map<string, string>();
  for (const [name, { bytes, etag }] of [...objects].toSorted(([a], [b]) => Buffer.from(a).compare(Buffer.from(b)))) {
    const key = name.slice(bucket.length + 1);
    if (!name.startsWith(`${bucket}/`) || !key.startsWith(prefix)) continue;
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    const written = (text: string) => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+");
    if (end >= 0) {
      const common = key.slice(0, end + 1);
      shown.set(common, `<CommonPrefixes><Prefix>${written(common)}</Prefix></CommonPrefixes>`);
    } else {
      shown.set(
        key,
        `<Contents><Key>${written(key)}</Key><LastModified>2026-11-30T12:00:00.000Z</LastModified><ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${bytes.length}</Size></Contents>`,
      );
    }
  }
  const start = Number(parameters.get("continuation-token") ?? 0);
  const end = start + Math.min(pageKeys, Number(parameters.get("max-keys") ?? pageKeys));
  const isCut = end < shown.size;
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><IsTruncated>${isCut}</IsTruncated>${
      isCut ? `<NextContinuationToken>${end}</NextContinuationToken>` : ""
    }${[...shown.values()].slice(start, end).join("")}</ListBucketResult>`,
  };
}

function failure(status: number, code: string): Answer {
  return {
    status,
    body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>told by the test</Message></Error>`,
  };
}

/** Node's fetch, but every name that ends in `.localhost` is this machine, as in a browser. */
export const localFetch: typeof globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!url.hostname.endsWith(".localhost")) return fetch(input, init);
  return new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), host: url.host };
    const path = url.pathname + url.search;
    const request = httpRequest(
      { host: "127.0.0.1", port: url.port, path, method: init?.method ?? "GET", headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          const body = status === 204 || init?.method === "HEAD" ? null : new Uint8Array(Buffer.concat(chunks));
          resolve(new Response(body, { status, headers: response.headers as Record<string, string> }));
        });
      },
    );
    request.on("error", reject);
    request.end(init?.body as Uint8Array | undefined);
  });
};
