/**
 * Archives as streams of entries.
 *
 * - *entry*: a file or directory of an archive, its contents read when asked for.
 * - *refused entry*: one that is not taken (its name climbs, it is a link, encrypted or too large), with the reason.
 * - *source*: where an archive or a file is fetched from, a URL or a registry of packages.
 * - *broken archive*: nothing of it can be read; a *broken entry* costs itself only.
 */
export { archiveEntries } from "./archiveEntries";
export type { ArchiveEntries, ArchiveEntry, RefusedEntry } from "./archiveEntry";
export { ArchiveError, type ArchiveErrorCode } from "./archiveError";
export { entryNameProblem } from "./entryName";
export { fetchedBlob } from "./fetchedBlob";
export { packageEntries, type PackageRequest } from "./packageEntries";
export { SourceError, type SourceErrorCode } from "./sourceError";
export { urlEntries, type UrlRequest } from "./urlEntries";
export { zipEntries } from "./zipEntries";
export { zipFromEntries, type EntryToZip } from "./zipFromEntries";
