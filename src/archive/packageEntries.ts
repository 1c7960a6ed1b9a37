import { limits, sha256Hex } from "../base";
import type { ArchiveEntries } from "./archiveEntry";
import { fetchedBlob, type FetchOptions } from "./fetchedBlob";
import { SourceError } from "./sourceError";
import { tarEntries } from "./tarEntries";

export interface PackageRequest extends FetchOptions {
  /** `name`, `name@version` or `name@tag`, as npm writes it; without a version the latest. */
  readonly package: string;
  /** A registry of npm's kind. */
  readonly registry?: string;
}

const NPM_REGISTRY = "https://registry.npmjs.org";
/** A name with its scope, as npm allows it. */
const PACKAGE = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@([^@/\s]+))?$/i;

/** The name, and the version or tag, of a package as a person writes it. @throws SourceError `bad-request` */
function packageName(text: string): { readonly name: string; readonly version: string } {
  const [, name, version = "latest"] = PACKAGE.exec(text.trim()) ?? [];
  if (name === undefined) {
    throw new SourceError("bad-request", `“${text}” is no package: write name or name@version`, text);
  }
  if (/^[\^~<>=*]|\.x$|\s/.test(version)) {
    const words = `“${version}” is a range of versions: name one version, or a tag such as latest`;
    throw new SourceError("bad-request", words, text);
  }
  return { name, version };
}

/**
 * The files of a public package, without the folder its tarball puts around them. What was fetched is verified against the
 * hash the registry has of it.
 * @throws SourceError, ArchiveError
 */
export async function* packageEntries(request: PackageRequest): ArchiveEntries {
  const { name, version } = packageName(request.package);
  const registry = (request.registry ?? NPM_REGISTRY).replace(/\/+$/, "");
  const url = `${registry}/${name.replace("/", "%2F")}/${encodeURIComponent(version)}`;
  const { tarball, integrity } = await tarballOf(url, request).catch((error: unknown) => {
    if (!(error instanceof SourceError) || error.code !== "not-found") throw error;
    const asked = request.package.trim() === name ? name : `${name}@${version}`;
    throw new SourceError("not-found", `There is no package ${asked} in the registry.`, url);
  });
  const { blob } = await fetchedBlob(tarball, limits.importTotalBytes, request);
  if (integrity !== undefined && !(await isIntact(blob, integrity))) {
    const words = `The package ${name} that came is not the one its registry describes: its hash is another`;
    throw new SourceError("damaged", words, tarball);
  }
  for await (const entry of tarEntries(blob)) {
    const path = entry.path.replace(/^[^/]*\//, "");
    if (entry.kind === "refused") yield { ...entry, path };
    else if (path !== entry.path) yield { ...entry, path };
  }
}

async function tarballOf(
  url: string,
  options: FetchOptions,
): Promise<{ readonly tarball: string; readonly integrity: string | undefined }> {
  const { blob } = await fetchedBlob(url, limits.packageDescriptionBytes, options);
  const described = parsed(await blob.text()) as { dist?: { tarball?: unknown; integrity?: unknown } } | undefined;
  const { tarball, integrity } = described?.dist ?? {};
  if (typeof tarball !== "string" || !URL.canParse(tarball)) {
    throw new SourceError("damaged", "The registry's description of the package cannot be read", url);
  }
  return { tarball, integrity: typeof integrity === "string" ? integrity : undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the bytes have one of the hashes (W3C Subresource Integrity) that can be computed here. */
async function isIntact(blob: Blob, integrity: string): Promise<boolean> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const { subtle } = globalThis.crypto ?? {};
  for (const value of integrity.split(/\s+/)) {
    const [, bits, expected] = /^sha(256|384|512)-([A-Za-z0-9+/=]+)/.exec(value) ?? [];
    if (expected === undefined) continue;
    // Without a secure context the browser has no hashes of its own.
    if (subtle === undefined && bits !== "256") continue;
    const hash =
      subtle === undefined
        ? Uint8Array.from((await sha256Hex(bytes)).match(/../g) ?? [], (byte) => parseInt(byte, 16))
        : new Uint8Array(await subtle.digest(`SHA-${bits}`, bytes));
    return btoa(String.fromCharCode(...hash)) === expected;
  }
  return true;
}
