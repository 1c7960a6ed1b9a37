import { sha256Hex } from "../../base";
import { ancestorPaths, isValidFsPath, normalizeFsPath } from "../path";
import { PermissionError, ElsewhereError, WriteFailedError, type PathError } from "../pathError";
import type { HostDeletion, HostEntry, HostFile, HostFilesApi, HostWrite, WriteCondition } from "./hostFilesApi";
import {
  errorFromStatus,
  HostRequests,
  requestBody,
  strongEtag,
  textOf,
  type HostAnswer,
  type HostRequest,
} from "./hostRequests";
import { xmlElement, type XmlElement } from "./xmlElement";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface S3Options {
  /** The service's address without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Asked before every request; without any, requests go unsigned, which public buckets answer. */
  readonly credentials?: () => S3Credentials | undefined;
  /** Where the bucket's name goes: before the host's name or in front of the path. */
  readonly addressing?: "virtual-host" | "path";
  readonly fetch?: typeof globalThis.fetch;
}

const CORS_ADVICE =
  "The bucket's CORS rules must allow this page's address, the methods GET, HEAD, PUT and DELETE, all headers, and expose the header ETag.";

/** An S3-compatible bucket with conditional writes as a store of blobs. Requests are signed here; nothing is sent before the first call. */
export function s3Files(options: S3Options): HostFilesApi {
  return new S3Files(options);
}

class S3Files implements HostFilesApi {
  readonly #base: string;
  readonly #requests: HostRequests;

  constructor(options: S3Options) {
    this.#base = bucketAddress(options);
    const signingKeys = new Map<string, ArrayBuffer>();
    this.#requests = new HostRequests({
      corsAdvice: CORS_ADVICE,
      send: (request) => signedFetch(options, signingKeys, request),
      asksAgain,
    });
  }

  async list(directory: string, signal?: AbortSignal): Promise<readonly HostEntry[]> {
    const prefix = directory === "/" ? "" : `${directory.slice(1)}/`;
    const entries: HostEntry[] = [];
    let token: string | undefined;
    do {
      const page = await this.#page(directory, { delimiter: "/", prefix, token, signal });
      for (const element of page.all("Contents")) {
        const entry = entryFromContents(element);
        if (entry !== undefined && isChild(entry.path, prefix)) entries.push(entry);
      }
      for (const element of page.all("CommonPrefixes")) {
        const path = `/${decodedKey(element.textOf("Prefix")).replace(/\/$/, "")}`;
        if (isChild(path, prefix)) entries.push({ path, kind: "directory" });
      }
      token = page.textOf("IsTruncated") === "true" ? page.textOf("NextContinuationToken") : undefined;
    } while (token !== undefined);
    // A key may be a file and have others below it; a tree has one thing at a path, and the file is what can be read.
    const files = new Set(entries.filter(({ kind }) => kind === "file").map(({ path }) => path));
    return entries.filter(({ kind, path }) => kind === "file" || !files.has(path));
  }

  async *listBelow(directory: string, signal: AbortSignal): AsyncGenerator<readonly HostEntry[], void> {
    const prefix = directory === "/" ? "" : `${directory.slice(1)}/`;
    // A key comes before those below it: a tree has one thing at a path, and the file is what can be read.
    const files = new Set<string>();
    let token: string | undefined;
    do {
      const page = await this.#page(directory, { prefix, token, signal });
      const entries = page.all("Contents").flatMap((element) => entryFromContents(element) ?? []);
      for (const { path } of entries) files.add(path);
      yield entries.filter(({ path }) => !ancestorPaths(path).some((above) => files.has(above)));
      token = page.textOf("IsTruncated") === "true" ? page.textOf("NextContinuationToken") : undefined;
    } while (token !== undefined);
  }

  async stat(path: string): Promise<HostEntry | undefined> {
    const response = await this.#send({ path, method: "HEAD" });
    if (response.ok) return entryFromHeaders(path, response.headers);
    if (response.status !== 404) throw errorFrom(path, response);
    const page = await this.#page(path, { prefix: `${path.slice(1)}/`, maxKeys: "1" });
    return page.all("Contents").length > 0 ? { path, kind: "directory" } : undefined;
  }

  async read(path: string): Promise<HostFile | undefined> {
    const response = await this.#send({ path, method: "GET" });
    if (response.status === 404) return undefined;
    if (!response.ok) throw errorFrom(path, response);
    return {
      bytes: response.bytes,
      etag: strongEtag(path, response.headers.get("ETag")),
    };
  }

  async write(path: string, bytes: Uint8Array, condition?: WriteCondition): Promise<HostWrite> {
    const headers: Record<string, string> = { "Content-Type": "application/octet-stream" };
    const isOverwrite = condition !== undefined && "ifMatch" in condition;
    if (isOverwrite) headers["If-Match"] = condition.ifMatch;
    else if (condition !== undefined) headers["If-None-Match"] = "*";
    const response = await this.#send({ path, method: "PUT", headers, body: bytes });
    if (response.status === 412 || (isOverwrite && response.status === 404)) return { kind: "changed" };
    if (response.status === 409)
      throw new WriteFailedError(path, `write failed: ${path} (others write it all the time)`);
    if (!response.ok) throw errorFrom(path, response);
    return { kind: "written", etag: strongEtag(path, response.headers.get("ETag")) };
  }

  async delete(path: string, ifMatch?: string): Promise<HostDeletion> {
    const headers = ifMatch === undefined ? {} : { "If-Match": ifMatch };
    const response = await this.#send({ path, method: "DELETE", headers });
    if (response.status === 404) return "missing";
    if (response.status === 412) return "changed";
    if (!response.ok) throw errorFrom(path, response);
    return "deleted";
  }

  async #page(path: string, query: PageQuery): Promise<XmlElement> {
    const parameters = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix: query.prefix });
    if (query.delimiter !== undefined) parameters.set("delimiter", query.delimiter);
    if (query.maxKeys !== undefined) parameters.set("max-keys", query.maxKeys);
    if (query.token !== undefined) parameters.set("continuation-token", query.token);
    // `+` for a space is read as one by few servers when they check the signature.
    const search = parameters.toString().replaceAll("+", "%20");
    const url = `${this.#base}/?${search}`;
    const response = await this.#requests.send({ path, method: "GET", url, signal: query.signal });
    if (!response.ok) throw errorFrom(path, response);
    const page = xmlElement(textOf(response));
    if (page?.name !== "ListBucketResult") throw new ElsewhereError(path, "The store's listing cannot be read.");
    return page;
  }

  #send(request: Omit<HostRequest, "url">): Promise<HostAnswer> {
    const key = request.path.slice(1).split("/").map(encodedName).join("/");
    return this.#requests.send({ ...request, url: `${this.#base}/${key}` });
  }
}

interface PageQuery {
  readonly prefix: string;
  readonly delimiter?: string;
  readonly maxKeys?: string;
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

function bucketAddress({ endpoint, bucket, addressing = "virtual-host" }: S3Options): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, "");
  return addressing === "path" ? `${url.origin}${path}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${path}`;
}

async function signedFetch(
  options: S3Options,
  signingKeys: Map<string, ArrayBuffer>,
  { url, method, headers = {}, body, signal }: HostRequest,
): Promise<Response> {
  const { fetch = (input, init) => globalThis.fetch(input, init), region } = options;
  const credentials = options.credentials?.();
  const init = { method, cache: "no-store" as const, ...requestBody(body), ...(signal && { signal }) };
  if (credentials === undefined) return fetch(url, { ...init, headers });
  if (globalThis.crypto?.subtle === undefined) {
    throw new ElsewhereError("/", "Requests can be signed on an https:// address or on localhost only.");
  }
  // Only who has a bucket needs it.
  const { AwsV4Signer } = await import("aws4fetch");
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signed = await new AwsV4Signer({
    url,
    method,
    headers: { ...headers, "X-Amz-Content-Sha256": await sha256Hex(body ?? "") },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: "s3",
    region,
    cache: signingKeys,
  }).sign();
  return fetch(signed.url.href, { ...init, headers: signed.headers });
}

/** Two conditional writes met, or the store is busy: it has done nothing, and asks to be asked again. */
function asksAgain(response: HostAnswer): boolean {
  if (response.status === 503 || response.status === 429) return true;
  if (response.status !== 409) return false;
  const code = xmlElement(textOf(response))?.textOf("Code");
  return code === "ConditionalRequestConflict" || code === "OperationAborted";
}

function errorFrom(path: string, response: HostAnswer): PathError {
  const answer = xmlElement(textOf(response));
  const [code, message] = [answer?.textOf("Code"), answer?.textOf("Message")];
  const words = [code, message].filter(Boolean).join(": ");
  if (code === "RequestTimeTooSkewed") return new PermissionError(path, `This computer's clock is wrong. (${words})`);
  // About a key, a 404 is no error: this one is about the bucket.
  if (response.status === 404) return new ElsewhereError(path, nothingThere(code, words));
  return errorFromStatus(path, response, words);
}

/** A store says which bucket it does not have; anything else that answers 404 is no store. */
function nothingThere(code: string | undefined, words: string): string {
  const detail = words === "" ? "" : ` (${words})`;
  if (code === "NoSuchBucket")
    return `The store answered 404: it has no bucket of this name. Check the bucket.${detail}`;
  const place = "Check the address, and whether the bucket's name goes into the path or before the host.";
  return `The server answered 404: it does not look like an S3 store. ${place}${detail}`;
}

function entryFromContents(element: XmlElement): HostEntry | undefined {
  const path = `/${decodedKey(element.textOf("Key"))}`;
  // A key that ends in a slash is how consoles draw an empty folder; one may hold `//`, `..` or anything else.
  if (path === "/" || path !== normalizeFsPath(path) || !isValidFsPath(path)) return undefined;
  const modifiedAt = Date.parse(element.textOf("LastModified") ?? "");
  const etag = element.textOf("ETag");
  return {
    path,
    kind: "file",
    sizeBytes: Number(element.textOf("Size") ?? 0),
    etag: etag && (etag.startsWith('"') ? etag : `"${etag}"`),
    ...(Number.isFinite(modifiedAt) && { modifiedAt }),
  };
}

function entryFromHeaders(path: string, headers: Headers): HostEntry {
  const sizeBytes = Number(headers.get("Content-Length") ?? NaN);
  const modifiedAt = Date.parse(headers.get("Last-Modified") ?? "");
  return {
    path,
    kind: "file",
    etag: strongEtag(path, headers.get("ETag")),
    ...(Number.isFinite(sizeBytes) && { sizeBytes }),
    ...(Number.isFinite(modifiedAt) && { modifiedAt }),
  };
}

/** Whether a path is one name below the prefix, and one a tree can have: a key may hold `//`, `..` or anything else. */
function isChild(path: string, prefix: string): boolean {
  const name = path.slice(prefix.length + 1);
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && isValidFsPath(path);
}

/** As listings write keys: percent-encoded, a space as `+`. */
function decodedKey(key = ""): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return key;
  }
}

/** As the signature has it too: everything but the letters, digits and marks that RFC 3986 leaves alone. */
function encodedName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
