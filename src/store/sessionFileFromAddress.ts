import { limits } from "../base";

export interface AddressOptions {
  readonly signal?: AbortSignal;
  /** The browser's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A saved session at a web address, as a file to import; nothing is sent along with the request. Rejects with an
 * AbortError when it was stopped.
 * @throws SourceError with the reason in words for a person
 */
export async function sessionFileFromAddress(
  address: string,
  options: AddressOptions = {},
): Promise<{ readonly name: string; readonly contents: Blob }> {
  const { fetchedBlob, SourceError } = await import("../archive");
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw new SourceError("bad-request", "A web address begins with https://", address);
  const { blob } = await fetchedBlob(url.href, limits.importSessionBytes, {
    ...options,
    fetch: (input, init) => (options.fetch ?? globalThis.fetch)(input, { ...init, credentials: "omit" }),
  });
  return { name: nameOf(url), contents: blob };
}

/** The last part of the path, or the host where the path says nothing. */
function nameOf(url: URL): string {
  const last = url.pathname.split("/").findLast((part) => part !== "");
  try {
    return last === undefined ? url.host : decodeURIComponent(last);
  } catch {
    return last ?? url.host;
  }
}
