import { sha256HexSync, type JsonObject, type JsonValue } from "../base";

/** Where a mount's files come from, as the project keeps it; credentials are never in it. */
export type MountSource =
  | MemorySource
  | DiskSource
  | HostSource
  | FolderSource
  | ArchiveSource
  | AddressSource
  | PackageSource
  | S3Source
  | WebdavSource
  | OverlaySource;

export interface MemorySource {
  readonly kind: "memory";
  /** The files it begins with each time the page loads, contents by path. */
  readonly seed?: Readonly<Record<string, string>>;
}

export interface DiskSource {
  readonly kind: "idb";
  /** The project's disk that holds it. */
  readonly disk: string;
  /** Files to be written once, when the disk is made; gone from the document afterwards. */
  readonly firstFiles?: Readonly<Record<string, string>>;
}

/** The disk of the project's host, at the host's root; a project has one at most. */
export interface HostSource {
  readonly kind: "host";
  readonly disk: string;
}

/** A folder of this computer. */
export interface FolderSource {
  readonly kind: "folder";
  readonly name: string;
  /** The key of its handle in this browser; absent where the folder is to be chosen again, as after an import. */
  readonly handle?: string;
}

/** A disk of the project that was filled once. */
interface FilledSource {
  readonly disk: string;
  /** When the disk was filled, milliseconds since 1970; absent until it is whole. */
  readonly filledAt?: number;
  /** What it was filled with (`SnapshotTree.rootHash`): a disk that holds anything else was changed here. */
  readonly filledWith?: string;
  /** Why the last filling came to nothing, in words, while nothing of it is kept. */
  readonly problem?: string;
}

/** A zip, tar or tar.gz of this computer. */
export interface ArchiveSource extends FilledSource {
  readonly kind: "archive";
  readonly fileName: string;
}

/** A file or an archive at a URL. */
export interface AddressSource extends FilledSource {
  readonly kind: "address";
  /** Absent where it is to be given again, as after an import of one with a query. */
  readonly url?: string;
}

/** A public package of a registry. */
export interface PackageSource extends FilledSource {
  readonly kind: "package";
  /** `name`, `name@version` or `name@tag`. */
  readonly package: string;
}

/** A bucket of an S3-compatible store. */
export interface S3Source {
  readonly kind: "s3";
  /** Absent where it is to be given again, as after an import. */
  readonly endpoint?: string;
  readonly bucket: string;
  readonly region: string;
  readonly addressing: "virtual-host" | "path";
  /** The folder of the bucket that is the mount's root; all of it when absent. */
  readonly folder?: string;
  /** With `keys` requests are signed, and the mount waits for them; `public` requests go unsigned. */
  readonly access: "keys" | "public";
}

export interface WebdavSource {
  readonly kind: "webdav";
  /** Absent where it is to be given again, as after an import. */
  readonly url?: string;
  /** Who signs in; the mount then waits for the password. */
  readonly user?: string;
}

/** Two other mounts of the table laid over one another, for reading only. */
export interface OverlaySource {
  readonly kind: "overlay";
  /** The id of the mount on top. */
  readonly upper: string;
  readonly lower: string;
}

export type MountKind = MountSource["kind"];

/** A mount as the project keeps it. */
export type MountRecord = MountSource & {
  readonly id: string;
  readonly prefix: string;
  readonly readOnly: boolean;
  /** 1…8: one of the theme's mount colours. */
  readonly color: number;
};

/** Kinds that are a disk filled once from somewhere. */
export type FilledRecord = MountRecord & (ArchiveSource | AddressSource | PackageSource);

export function isFilledRecord(record: MountRecord): record is FilledRecord {
  return record.kind === "archive" || record.kind === "address" || record.kind === "package";
}

/** When a disk was filled and with what, as far as it is known. */
export function fillingOf({ filledAt, filledWith }: FilledRecord): Pick<FilledSource, "filledAt" | "filledWith"> {
  return { ...(filledAt === undefined ? {} : { filledAt }), ...(filledWith === undefined ? {} : { filledWith }) };
}

/** Kinds whose files lie outside of the project, and are mirrored. */
export type MirroredRecord = MountRecord & (FolderSource | S3Source | WebdavSource);

export function isMirroredRecord(record: MountRecord): record is MirroredRecord {
  return record.kind === "folder" || record.kind === "s3" || record.kind === "webdav";
}

/** What a mirror of the record mirrors: ids of file versions and all that is remembered rest on it. */
export function mirrorScope(record: MirroredRecord): string {
  return sha256HexSync(JSON.stringify([record.id, locationOf(record)]));
}

function locationOf(record: MirroredRecord): readonly (string | undefined)[] {
  if (record.kind === "folder") return [record.handle];
  if (record.kind === "webdav") return [record.url];
  return [record.endpoint, record.bucket, record.folder];
}

/** The project's disk behind a mount, where there is one. */
export function diskOfRecord(record: MountRecord): string | undefined {
  return "disk" in record ? record.disk : undefined;
}

/** Whether what was stored is a mount this version can open. */
export function isMountRecord(value: JsonValue): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const { id, prefix, readOnly, color, kind } = value as JsonObject;
  return (
    typeof id === "string" &&
    typeof prefix === "string" &&
    prefix.startsWith("/") &&
    typeof readOnly === "boolean" &&
    typeof color === "number" &&
    typeof kind === "string" &&
    Object.hasOwn(SOURCE_FITS, kind) &&
    SOURCE_FITS[kind as MountKind](value as JsonObject)
  );
}

const isText = (value: JsonValue | undefined) => typeof value === "string";
const isTextOrAbsent = (value: JsonValue | undefined) => value === undefined || typeof value === "string";
const isFilled = ({ disk, filledAt, filledWith, problem }: JsonObject) =>
  isText(disk) &&
  (filledAt === undefined || typeof filledAt === "number") &&
  isTextOrAbsent(filledWith) &&
  isTextOrAbsent(problem);

const SOURCE_FITS: Readonly<Record<MountKind, (source: JsonObject) => boolean>> = {
  memory: () => true,
  idb: ({ disk }) => isText(disk),
  host: ({ disk }) => isText(disk),
  folder: ({ name, handle }) => isText(name) && isTextOrAbsent(handle),
  archive: (source) => isFilled(source) && isText(source["fileName"]),
  address: (source) => isFilled(source) && isTextOrAbsent(source["url"]),
  package: (source) => isFilled(source) && isText(source["package"]),
  s3: ({ endpoint, bucket, region, addressing, folder, access }) =>
    isTextOrAbsent(endpoint) &&
    isText(bucket) &&
    isText(region) &&
    isTextOrAbsent(folder) &&
    (addressing === "path" || addressing === "virtual-host") &&
    (access === "keys" || access === "public"),
  webdav: ({ url, user }) => isTextOrAbsent(url) && isTextOrAbsent(user),
  overlay: ({ upper, lower }) => isText(upper) && isText(lower),
};
