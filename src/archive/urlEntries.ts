import { limits } from "../base";
import { archiveEntries, archiveKind } from "./archiveEntries";
import type { ArchiveEntries } from "./archiveEntry";
import { entryNameProblem } from "./entryName";
import { fetchedBlob, type FetchOptions } from "./fetchedBlob";
import { SourceError } from "./sourceError";

export interface UrlRequest extends FetchOptions {
  readonly url: string;
}

/**
 * What is at an address, as entries: those of an archive, whatever it is called, or the one file.
 * @throws SourceError, ArchiveError
 */
export async function* urlEntries({ url, ...options }: UrlRequest): ArchiveEntries {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new SourceError("bad-request", `“${url}” is no http or https address`, url);
  }
  const { blob, response } = await fetchedBlob(url, limits.importTotalBytes, options);
  if ((await archiveKind(blob)) !== undefined) {
    yield* archiveEntries(blob);
    return;
  }
  if (blob.size > limits.importFileBytes) {
    const megabytes = Math.round(limits.importFileBytes / 2 ** 20);
    throw new SourceError("too-large", `The file is over ${megabytes} MB`, url);
  }
  const modifiedAt = Date.parse(response.headers.get("Last-Modified") ?? "");
  yield {
    kind: "file",
    path: fileName(response, url),
    sizeBytes: blob.size,
    modifiedAt: Number.isFinite(modifiedAt) ? modifiedAt : 0,
    bytes: async () => new Uint8Array(await blob.arrayBuffer()),
  };
}

/** As the server calls it, else the last name of the address. */
function fileName({ headers }: Response, url: string): string {
  const disposition = headers.get("Content-Disposition") ?? "";
  const [, encoded] = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition) ?? [];
  const [, plain] = /filename\s*=\s*(?:"([^"]*)"|[^;\s]+)/i.exec(disposition) ?? [];
  const last = new URL(url).pathname.split("/").findLast((name) => name !== "");
  const name = [decoded(encoded), plain, decoded(last)].find((each) => each !== undefined && isName(each));
  return name ?? "index.html";
}

function isName(name: string): boolean {
  return entryNameProblem(name) === undefined && !name.includes("/");
}

function decoded(name: string | undefined): string | undefined {
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name;
  }
}
