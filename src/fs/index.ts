/**
 * Trees of files.
 *
 * - *tree*: anything that implements `FileSystem`; a *disk* is one that a person can also edit (`EditableDisk`).
 * - *entry*: a file or a directory of a tree; *contents*: what `read` answers and `write` takes, a string or bytes.
 * - *snapshot*: a whole tree as an immutable value (`SnapshotTree`); a *versioned* tree can give one at any time for free.
 * - *id*: a hash of all that a snapshot, or a part of it, holds; a *record* is such a part as text, stored under its id.
 * - *mount*: a tree at a *prefix* of a union; the longest prefix owns all below it.
 * - *fork*: a tree that starts as another one and keeps its changes to itself; a *whiteout* marks what it has deleted.
 * - *change*: one file added, modified or deleted between two snapshots, by hashes.
 * - *edit*: one step of a write, applied whole or not at all together with those of the same commit.
 * - *engine*: what searches contents, in place or in workers.
 * - *layer*: a tree of an overlay; a higher one hides what lower ones have on the paths it holds.
 * - *store*: durable blobs with etags behind a tree (`HostFilesApi`); a *shared* one is written by others too.
 * - *mirror*: a folder or store as a versioned tree: its listing in memory, its contents read when asked for, what others
 *   change found by looking again; a *version* is what it tells of a file without reading it.
 * - *etag*: a store's name for one version of a file; a *conflict* is a write that named a version no longer there.
 * - *skill*: a `SKILL.md` in a folder of its own; an *index* names skills without their bodies.
 */
export { answeredFs } from "./answeredFs";
export { bytesFromContents, contentsFromBytes, imageMediaType } from "./contents";
export type {
  BriefContext,
  DirEntry,
  EditableDisk,
  EditableFileSystem,
  FileInfo,
  FileSystem,
  FileToWrite,
  GrepQuery,
  GrepResult,
  SearchQuery,
  SearchResult,
} from "./fileSystem";
export { DirectoryPermissionError } from "./directory/directoryErrors";
export {
  directoryFs,
  directorySource,
  type DirectoryFileSystem,
  type DirectoryFsOptions,
  type DirectorySource,
} from "./directory/directoryFs";
export { commitEdits, editsFromChanges } from "./commitEdits";
export { childDifferences, diffSteps, diffTrees, treeDifference, treesDiffer, type Change } from "./diffTrees";
export { forkFs } from "./forkFs";
export type { ForkedFileSystem } from "./forkedFileSystem";
export { globMatcher } from "./globMatcher";
export { GrepBudgetError } from "./grep/grepBudgetError";
export { inlineEngine, inlineEngineWithin } from "./grep/inlineEngine";
export { createWorkerEngine } from "./grep/workerEngine";
export type { HostDeletion, HostEntry, HostFile, HostFilesApi, HostWrite, WriteCondition } from "./host/hostFilesApi";
export { hostFs, type HostFsOptions } from "./host/hostFs";
export { hostSource } from "./host/hostSource";
export { idbFiles } from "./host/idbFiles";
export { openSharedFs, UnsafeStoreError, type SharedFs, type SharedFsOptions } from "./host/openSharedFs";
export { s3Files, type S3Credentials, type S3Options } from "./host/s3Files";
export { webdavFiles, type WebdavOptions } from "./host/webdavFiles";
export { checksumOf } from "./idb/checksum";
export { copyProject } from "./idb/copyProject";
export { DamagedRecordError } from "./idb/damagedRecordError";
export { diskNames, removeDisk } from "./idb/diskNames";
export { idbFs, type IdbFileSystem } from "./idb/idbFs";
export { makeRoom } from "./idb/makeRoom";
export { memoryRecords } from "./idb/memoryRecords";
export { deletePins, putPins, type Pins } from "./idb/pins";
export {
  deleteProjectDatabase,
  isOpenAnywhere,
  openProjectDatabase,
  type ProjectDatabase,
  type ProjectDatabaseOptions,
  type StorageTrouble,
} from "./idb/projectDatabase";
export type { RecordKey, RecordReader, Records, RecordWriter } from "./idb/records";
export { forgetStoredMirror, storedMirror } from "./idb/storedMirror";
export { loadSnapshot, saveSnapshot } from "./idb/storedTrees";
export { sweepOnDemand as sweepProject } from "./idb/sweepOnDemand";
export type { SweepOptions } from "./idb/sweepProject";
export { importBatches } from "./importBatches";
export { levelWalk } from "./levelWalk";
export { memoryFile } from "./memoryFile";
export { mirrorFs, type MirrorFileSystem } from "./mirror/mirrorFs";
export type { MirrorMemory } from "./mirror/mirrorMemory";
export type { MirrorSource } from "./mirror/mirrorSource";
export { isVersionId } from "./mirror/versionId";
export { observedFs } from "./observedFs";
export { overlayFs } from "./overlayFs";
export {
  ancestorPaths,
  baseName,
  isUnder,
  isValidFsPath,
  joinFsPath,
  normalizeFsPath,
  parentPath,
  pathFromMount,
  validFsPath,
} from "./path";
export {
  ConflictError,
  ContentsNotKeptError,
  DeleteNotSupportedError,
  EditError,
  ElsewhereError,
  FileNotFoundError,
  InvalidGrepPatternError,
  InvalidPathError,
  NoMountError,
  NotADirectoryError,
  NotAFileError,
  PathError,
  PermissionError,
  QuotaError,
  ReadOnlyMountError,
  UnavailableError,
  WriteFailedError,
  type EditProblem,
  type PathErrorCode,
} from "./pathError";
export { readOnlyFs } from "./readOnlyFs";
export { skillHead, skillHeadGaps, type SkillHead, type SkillHeadGap } from "./skillHead";
export { skillsFs, type Skill, type SkillIndexEntry, type SkillsFileSystem } from "./skillsFs";
export { SnapshotTree } from "./snapshotTree";
export type { TreeOptions } from "./snapshotVerbs";
export { tempFs } from "./tempFs";
export { treeFromEdits, type TreeEdit } from "./treeEdit";
export type { TreeEngine } from "./treeEngine";
export { emptyFs, treeFs } from "./treeFs";
export type { FileEntry, TreeEntry } from "./treeEntry";
export { UnknownFileTypeError } from "./unknownFileTypeError";
export { unionFs } from "./unionFs";
export { isVersionedTree, snapshotOf, type VersionedTree } from "./versionedTree";
export { walkedGlob, walkedGrep, type WalkedTree } from "./walkedVerbs";
