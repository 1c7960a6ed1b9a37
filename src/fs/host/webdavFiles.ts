import { ancestorPaths, isValidFsPath, parentPath, pathNames } from "../path";
import { NotAFileError, ElsewhereError } from "../pathError";
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

export interface WebdavOptions {
  /** The collection that is the root of the store. */
  readonly url: string;
  /** The value of the `Authorization` header, asked before every request; `undefined` sends none. */
  readonly authorization?: () => string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

const CORS_ADVICE =
  "For pages of another address the server must answer OPTIONS with Access-Control-Allow-Origin, Access-Control-Allow-Methods: " +
  "GET, PUT, DELETE, PROPFIND, MKCOL, MOVE, Access-Control-Allow-Headers: authorization, content-type, depth, destination, " +
  "if-match, if-none-match, overwrite, and send Access-Control-Expose-Headers: ETag.";

const NOTHING_AT_ROOT =
  "The server answered 404: it has no WebDAV folder at this address. Check the address, its path above all.";

const ETAG_ADVICE =
  'lighttpd sends one only for files whose type it knows: give it one for all, as in mimetype.assign = ( "" => "application/octet-stream" ).';

const FILE_AT_ROOT = "There is a file at this address: give the address of the folder it lies in.";

const PROPERTIES =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getcontentlength/><getlastmodified/></prop></propfind>';

/** A WebDAV server (RFC 4918) with strong etags as a store of blobs. Nothing is sent before the first call. */
export function webdavFiles(options: WebdavOptions): HostFilesApi {
  return new WebdavFiles(options);
}

class WebdavFiles implements HostFilesApi {
  readonly etagAdvice = ETAG_ADVICE;
  readonly #root: string;
  /** Collections seen: what lies in one of them is not below a file. */
  readonly #collections = new Set<string>(["/"]);
  readonly #requests: HostRequests;

  constructor({ url, authorization, fetch = (input, init) => globalThis.fetch(input, init) }: WebdavOptions) {
    this.#root = new URL(url).href.replace(/\/*(?:[?#].*)?$/, "");
    this.#requests = new HostRequests({
      corsAdvice: CORS_ADVICE,
      asksAgain: ({ status }) => status === 429 || status === 503,
      send: ({ url: address, method, headers, body, signal }) => {
        const credentials = authorization?.();
        return fetch(address, {
          method,
          headers: { ...headers, ...(credentials !== undefined && { Authorization: credentials }) },
          // A version out of the browser's cache would be one that is no longer there.
          cache: "no-store",
          ...requestBody(body),
          ...(signal && { signal }),
        });
      },
    });
  }

  async list(directory: string, signal?: AbortSignal): Promise<readonly HostEntry[]> {
    const found = await this.#propfind(directory, "1", signal);
    const self = found && rootOf(found);
    if (directory === "/" && self?.kind === "file") throw new ElsewhereError(directory, FILE_AT_ROOT);
    if (found === undefined || self?.kind !== "directory") return [];
    this.#collections.add(directory);
    const entries: HostEntry[] = [];
    for (const { names, ...entry } of found) {
      if (names.length !== self.names.length + 1) continue;
      const name = names.at(-1) ?? "";
      const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
      if (!name.includes("/") && isValidFsPath(path)) entries.push({ ...entry, path });
    }
    return entries;
  }

  async stat(path: string): Promise<HostEntry | undefined> {
    const found = await this.#propfind(path, "0").catch((error: unknown) => this.#collectionOrThrow(path, error));
    if (found === "collection") return { path, kind: "directory" };
    const self = found && rootOf(found);
    if (self === undefined) return undefined;
    const { names: _, ...entry } = self;
    if (entry.kind === "directory") this.#collections.add(path);
    return { ...entry, path };
  }

  async read(path: string): Promise<HostFile | undefined> {
    const response = await this.#send({ path, method: "GET" }).catch((error: unknown) =>
      this.#collectionOrThrow(path, error),
    );
    if (response === "collection" || response.status === 404) return undefined;
    const etag = response.ok ? strongEtag(path, response.headers.get("ETag")) : undefined;
    // A collection is answered with a page about it or an error, what lies below a file sometimes with that file.
    const isDoubtful = etag === undefined || leadsToCollection(response) || !this.#collections.has(parentPath(path));
    if (isDoubtful && (await this.stat(path))?.kind !== "file") return undefined;
    if (!response.ok) throw errorFromStatus(path, response);
    this.#collections.add(parentPath(path));
    return { bytes: response.bytes, etag };
  }

  async write(path: string, bytes: Uint8Array, condition?: WriteCondition): Promise<HostWrite> {
    const put = () =>
      this.#send({
        path,
        method: "PUT",
        body: bytes,
        headers: { "Content-Type": "application/octet-stream", ...conditionHeaders(condition) },
      }).catch((error: unknown) => this.#collectionOrThrow(path, error));
    const isOverwrite = condition !== undefined && "ifMatch" in condition;
    let response = await put();
    if (response !== "collection" && !isOverwrite && (await this.#lacksParent(path, response))) {
      await this.#makeParents(path);
      response = await put();
    }
    const isInTheWay = response === "collection" || (await this.#metCollection(path, response, isOverwrite));
    if (isInTheWay) {
      await this.#clearWay(path);
      response = await put();
    }
    if (response === "collection") throw new NotAFileError(path);
    if (response.status === 412 || (isOverwrite && (await this.#lacksFile(path, response)))) return { kind: "changed" };
    if (!response.ok) throw errorFromStatus(path, response);
    const etag = strongEtag(path, response.headers.get("ETag"));
    return { kind: "written", etag: etag ?? (await this.#etagOfWritten(path, bytes)) };
  }

  async delete(path: string, ifMatch?: string): Promise<HostDeletion> {
    const headers = ifMatch === undefined ? {} : { "If-Match": ifMatch };
    const response = await this.#send({ path, method: "DELETE", headers });
    if (response.status === 404) return "missing";
    if (response.status === 412) return "changed";
    if (!response.ok) throw errorFromStatus(path, response);
    return "deleted";
  }

  /** Not every server says the etag of what it just stored; one that is asked later may be of another write. */
  async #etagOfWritten(path: string, bytes: Uint8Array): Promise<string | undefined> {
    const file = await this.read(path);
    const isSame = file?.bytes.length === bytes.length && file.bytes.every((byte, at) => byte === bytes[at]);
    return isSame ? file.etag : undefined;
  }

  /** Whether an overwrite was refused because there is nothing, and maybe no collection for it either. */
  async #lacksFile(path: string, { status }: HostAnswer): Promise<boolean> {
    return status === 404 || (status === 409 && (await this.stat(path)) === undefined);
  }

  async #lacksParent(path: string, { status }: HostAnswer): Promise<boolean> {
    if (status === 404 || status === 409) return true;
    // Some fail only where it comes to an empty file.
    return status === 500 && (await this.stat(parentPath(path))) === undefined;
  }

  async #makeParents(path: string): Promise<void> {
    for (const directory of ancestorPaths(path)) {
      const response = await this.#send({ path: directory, method: "MKCOL", url: `${this.#url(directory)}/` });
      // 405: it is there already.
      if (response.ok || response.status === 405 || response.status === 409) continue;
      throw errorFromStatus(path, response);
    }
  }

  /** Whether a write was refused because there is a collection at its path. */
  async #metCollection(path: string, { ok, status }: HostAnswer, isOverwrite: boolean): Promise<boolean> {
    if (ok || status === 401 || status >= 500 || (isOverwrite && status === 412)) return false;
    return (await this.stat(path))?.kind === "directory";
  }

  /**
   * A collection that is asked for without the slash at its end is answered with a redirection by some servers, and a page
   * must not follow one where the browser asks for leave first: to it the server gives no answer. @throws the error
   */
  async #collectionOrThrow(path: string, error: unknown): Promise<"collection"> {
    if (!(error instanceof ElsewhereError) || path === "/") throw error;
    const found = await this.#propfind(path, "0", undefined, "/").catch(() => undefined);
    if (found === undefined || rootOf(found)?.kind !== "directory") throw error;
    this.#collections.add(path);
    return "collection";
  }

  /**
   * Removes an empty collection where a file shall be. It is moved aside first: what somebody puts into it in the meantime
   * would go with it, as a deletion takes whatever is inside.
   */
  async #clearWay(path: string): Promise<void> {
    const aside = `${parentPath(path).replace(/\/$/, "")}/.moved-${crypto.randomUUID()}`;
    await this.#move(path, aside);
    if (await this.#holdsFile(aside)) {
      await this.#move(aside, path);
      throw new NotAFileError(path);
    }
    await this.#send({ path: aside, method: "DELETE", url: `${this.#url(aside)}/` });
  }

  async #move(from: string, to: string): Promise<void> {
    const headers = { Destination: `${this.#url(to)}/`, Overwrite: "F" };
    const response = await this.#send({ path: from, method: "MOVE", url: `${this.#url(from)}/`, headers });
    if (!response.ok) throw errorFromStatus(from, response);
  }

  async #holdsFile(directory: string): Promise<boolean> {
    for (const { path, kind } of await this.list(directory)) {
      if (kind === "file" || (await this.#holdsFile(path))) return true;
    }
    return false;
  }

  async #propfind(
    path: string,
    depth: "0" | "1",
    signal?: AbortSignal,
    ending = depth === "1" ? "/" : "",
  ): Promise<DavEntry[] | undefined> {
    const response = await this.#send({
      path,
      method: "PROPFIND",
      url: path === "/" ? `${this.#root}/` : this.#url(path) + ending,
      headers: { Depth: depth, "Content-Type": "application/xml; charset=utf-8" },
      body: PROPERTIES,
      signal,
    });
    if (response.status === 404) {
      // The root is there, or the address is wrong: an empty listing would hide that.
      if (path === "/") throw new ElsewhereError(path, NOTHING_AT_ROOT);
      return undefined;
    }
    if (response.status === 403 && (await this.#isAtOrBelowFile(path, depth === "1"))) return undefined;
    if (response.status === 405 || response.status === 501) {
      throw new ElsewhereError(path, "The server does not speak WebDAV at this address: it cannot list files.");
    }
    if (!response.ok) throw errorFromStatus(path, response);
    const answer = response.status === 207 ? xmlElement(textOf(response)) : undefined;
    if (answer?.name !== "multistatus") throw new ElsewhereError(path, "The server's listing cannot be read.");
    return answer.all("response").flatMap((element) => davEntry(path, element) ?? []);
  }

  /** Whether a refusal only means that there is a file where the path has a directory. */
  async #isAtOrBelowFile(path: string, asCollection: boolean): Promise<boolean> {
    if (path === "/") return false;
    return (await this.stat(asCollection ? path : parentPath(path)))?.kind !== "directory";
  }

  #send(request: Omit<HostRequest, "url"> & { readonly url?: string }): Promise<HostAnswer> {
    return this.#requests.send({ url: this.#url(request.path), ...request });
  }

  #url(path: string): string {
    return [this.#root, ...pathNames(path).map(encodeURIComponent)].join("/");
  }
}

interface DavEntry extends HostEntry {
  /** The names its address is made of. */
  readonly names: readonly string[];
}

function davEntry(path: string, element: XmlElement): DavEntry | undefined {
  const found = element.all("propstat").find((part) => / 2\d\d/.test(part.textOf("status") ?? " 200"));
  const names = namesOf(element.textOf("href") ?? "");
  const properties = found?.child("prop");
  if (properties === undefined || names === undefined) return undefined;
  if (properties.child("resourcetype")?.child("collection") !== undefined) return { path, names, kind: "directory" };
  const sizeBytes = Number(properties.textOf("getcontentlength") || NaN);
  const modifiedAt = Date.parse(properties.textOf("getlastmodified") ?? "");
  const etag = properties.textOf("getetag");
  return {
    path,
    names,
    kind: "file",
    // A weak one is no name of a version: those who need one say so.
    etag: etag && !etag.startsWith("W/") ? etag : undefined,
    ...(Number.isFinite(sizeBytes) && { sizeBytes }),
    ...(Number.isFinite(modifiedAt) && { modifiedAt }),
  };
}

/** What was asked for itself: its address is the one with the fewest names, whatever the server's own idea of its root. */
function rootOf(entries: readonly DavEntry[]): DavEntry | undefined {
  return entries.toSorted((a, b) => a.names.length - b.names.length)[0];
}

function namesOf(href: string): string[] | undefined {
  try {
    const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
    return path
      .split("/")
      .filter((name) => name !== "")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function leadsToCollection({ redirected, url }: HostAnswer): boolean {
  return redirected && new URL(url).pathname.endsWith("/");
}

function conditionHeaders(condition: WriteCondition | undefined): Record<string, string> {
  if (condition === undefined) return {};
  return "ifMatch" in condition ? { "If-Match": condition.ifMatch } : { "If-None-Match": "*" };
}
