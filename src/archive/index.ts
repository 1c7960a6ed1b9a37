/**
 * Archives as streams of entries.
 *
 * - *entry*: a file or directory of an archive, its contents read when asked for.
 * - *refused entry*: one that is not taken (its name climbs, it is a link, encrypted or too large), with the reason.
 * - *broken archive*: nothing of it can be read; a *broken entry* costs itself only.
 */
export { ArchiveError } from "./archiveError";
export { entryNameProblem } from "./entryName";
export { zipEntries, type ArchiveEntry } from "./zipEntries";
export { zipFromEntries, type EntryToZip } from "./zipFromEntries";
