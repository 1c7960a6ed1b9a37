import { addressRefusal } from "../../base";
import type { HOST_ROOT } from "../../host";
import type { ChosenSource, MountCredentials, MountKind, MountPatch, MountView, NewMount } from "../../store";

/** What stands in the fields of a mount's window, of every kind at once: another kind loses nothing that was written. */
export interface MountDraft {
  readonly kind: MountKind;
  /** The path as it was written; what the source suggests, until then. */
  readonly prefix?: string;
  /** As it was ticked; what is usual for the kind, until then. */
  readonly readOnly?: boolean;
  readonly folder?: FileSystemDirectoryHandle;
  readonly file?: File;
  readonly url: string;
  readonly package: string;
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly bucketFolder: string;
  readonly addressing: "virtual-host" | "path";
  readonly access: "keys" | "public";
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly webdavUrl: string;
  readonly user: string;
  readonly password: string;
  /** Ids of mounts. */
  readonly upper: string;
  readonly lower: string;
}

/** Where the host's disk stands. */
export const HOST_PREFIX: typeof HOST_ROOT = "/home/project";

export type DraftField = Exclude<keyof MountDraft, "kind">;
export type DraftProblems = { readonly [Field in DraftField]?: string };

const emptyDraft: MountDraft = {
  kind: "idb",
  url: "",
  package: "",
  endpoint: "",
  bucket: "",
  region: "us-east-1",
  bucketFolder: "",
  addressing: "path",
  access: "keys",
  accessKeyId: "",
  secretAccessKey: "",
  sessionToken: "",
  webdavUrl: "",
  user: "",
  password: "",
  upper: "",
  lower: "",
};

/** The draft of a new mount, or of one that is there. Credentials are never read back. */
export function draftOf(mount: MountView | undefined, others: readonly MountView[]): MountDraft {
  const [upper, lower] = others.filter(({ kind }) => kind !== "overlay");
  const draft = { ...emptyDraft, upper: upper?.id ?? "", lower: lower?.id ?? "" };
  if (!mount) return draft;
  const { kind, prefix, readOnly, source } = mount;
  return { ...draft, kind, prefix, readOnly, ...draftedSource(source) };
}

function draftedSource(source: MountView["source"]): Partial<MountDraft> {
  if (source.kind === "address") return { url: source.url ?? "" };
  if (source.kind === "package") return { package: source.package };
  if (source.kind === "webdav") return { webdavUrl: source.url ?? "", user: source.user ?? "" };
  if (source.kind === "overlay") return { upper: source.upper, lower: source.lower };
  if (source.kind !== "s3") return {};
  const { bucket, region, addressing, access, endpoint = "", folder: bucketFolder = "" } = source;
  return { bucket, region, addressing, access, endpoint, bucketFolder };
}

/** The path a mount stands at: as written, or as its source suggests. */
export function draftPrefix(draft: MountDraft, mounts: readonly MountView[]): string {
  // Its commands look for it there and nowhere else.
  if (draft.kind === "host") return HOST_PREFIX;
  if (draft.prefix !== undefined) return draft.prefix;
  const name = suggestedName(draft);
  const isTaken = (prefix: string) => mounts.some((mount) => mount.prefix === prefix);
  for (let number = 1; ; number++) {
    const prefix = `/${name}${number === 1 ? "" : `-${number}`}`;
    if (!isTaken(prefix)) return prefix;
  }
}

/** Whether a mount is for reading only, unless a person says otherwise: what was brought in is to be looked at. */
export function draftReadOnly({ kind, readOnly }: MountDraft): boolean {
  if (kind === "overlay") return true;
  return readOnly ?? (kind === "archive" || kind === "address" || kind === "package");
}

function suggestedName(draft: MountDraft): string {
  const name = {
    memory: () => "scratch",
    idb: () => "files",
    host: () => "host",
    folder: () => draft.folder?.name,
    archive: () => withoutEnding(draft.file?.name ?? ""),
    address: () => withoutEnding(lastName(draft.url)),
    package: () =>
      draft.package
        .trim()
        .replace(/^@[^/]*\//, "")
        .replace(/@.*$/, ""),
    s3: () => draft.bucketFolder.split("/").findLast((part) => part !== "") ?? draft.bucket.trim(),
    webdav: () => lastName(draft.webdavUrl),
    overlay: () => "overlay",
  }[draft.kind]();
  return name?.replaceAll("/", "") || draft.kind;
}

function withoutEnding(fileName: string): string {
  return fileName.replace(/\.(zip|tar|tgz|gz)$/i, "").replace(/\.tar$/i, "");
}

function lastName(address: string): string {
  if (!URL.canParse(address)) return "";
  const last = new URL(address).pathname.split("/").findLast((name) => name !== "") ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const ANY_PACKAGE = /^(?:@[^@/\s]+\/)?[^@/\s]+(?:@[^@/\s]+)?$/;

/**
 * What keeps the draft from being a mount, by field. `isKnown` when it need not be said again where the files are: the mount
 * that is edited has it.
 */
export function draftProblems(draft: MountDraft, isKnown: boolean): DraftProblems {
  return given(PROBLEMS[draft.kind](draft, isKnown));
}

type FoundProblems = { readonly [Field in DraftField]?: string | undefined };

const PROBLEMS: { readonly [Kind in MountKind]: (draft: MountDraft, isKnown: boolean) => FoundProblems } = {
  memory: () => ({}),
  idb: () => ({}),
  host: () => ({}),
  folder: ({ folder }, isKnown) => ({ folder: folder || isKnown ? undefined : "Choose a folder." }),
  archive: ({ file }, isKnown) => ({ file: file || isKnown ? undefined : "Choose a zip, tar or tar.gz." }),
  address: ({ url }) => ({ url: addressProblem(url, "the address of a file or an archive") }),
  package: (draft) => ({ package: packageProblem(draft.package.trim()) }),
  s3: (draft, isKnown) => ({
    endpoint: addressProblem(draft.endpoint, "the store's address, without the bucket"),
    bucket: bucketProblem(draft.bucket.trim()),
    region: draft.region.trim() === "" ? "Write the region; us-east-1 where the store has none." : undefined,
    ...keyProblems(draft, isKnown),
  }),
  webdav: ({ webdavUrl }) => ({ webdavUrl: addressProblem(webdavUrl, "the address of a folder on the server") }),
  overlay: ({ upper, lower }) => ({
    upper: upper === "" ? "Choose a mount." : undefined,
    lower:
      lower === "" ? "Choose a mount." : lower === upper ? "Choose another mount: this one is the upper." : undefined,
  }),
};

function packageProblem(name: string): string | undefined {
  if (name === "") return "Write the package's name, e.g. zod.";
  return ANY_PACKAGE.test(name) ? undefined : "Write a name, or a name and one version: zod, zod@4.0.0, @scope/name.";
}

function bucketProblem(bucket: string): string | undefined {
  if (bucket === "") return "Write the bucket's name.";
  return bucket.includes("/") ? "A bucket's name has no /: write a folder in the field for it." : undefined;
}

/** A new mount with a key needs one; of a mount that is there, one half alone is a slip, and with none it keeps what it has. */
function keyProblems({ access, accessKeyId, secretAccessKey }: MountDraft, isKnown: boolean): FoundProblems {
  const hasNone = accessKeyId.trim() === "" && secretAccessKey.trim() === "";
  if (access === "public" || (isKnown && hasNone)) return {};
  return {
    accessKeyId: accessKeyId.trim() === "" ? "Write the access key, or choose “public, no key”." : undefined,
    secretAccessKey: secretAccessKey.trim() === "" ? "Write the secret key that belongs to it." : undefined,
  };
}

function addressProblem(address: string, what: string): string | undefined {
  const url = address.trim();
  if (url === "") return `Write ${what}.`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return "An address begins with https:// (or http:// on this computer).";
  const refusal = addressRefusal(url);
  return refusal && `${refusal.message} ${refusal.fix}`;
}

function given(problems: FoundProblems): DraftProblems {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

/** Where the mount's files come from; `undefined` while nothing is chosen. */
function chosenSource(draft: MountDraft): ChosenSource | undefined {
  return SOURCES[draft.kind](draft);
}

const SOURCES: { readonly [Kind in MountKind]: (draft: MountDraft) => ChosenSource | undefined } = {
  memory: () => ({ kind: "memory" }),
  idb: () => ({ kind: "idb" }),
  host: () => ({ kind: "host" }),
  folder: ({ folder }) => folder && { kind: "folder", handle: folder },
  archive: ({ file }) => file && { kind: "archive", file, fileName: file.name },
  address: ({ url }) => ({ kind: "address", url: url.trim() }),
  package: (draft) => ({ kind: "package", package: draft.package.trim() }),
  s3(draft) {
    const folder = draft.bucketFolder.split("/").filter((part) => part.trim() !== "");
    const credentials = credentialsFrom(draft);
    return {
      kind: "s3",
      endpoint: draft.endpoint.trim().replace(/\/+$/, ""),
      bucket: draft.bucket.trim(),
      region: draft.region.trim(),
      addressing: draft.addressing,
      access: draft.access,
      ...(folder.length === 0 ? {} : { folder: folder.join("/") }),
      ...(credentials && "accessKeyId" in credentials ? { credentials } : {}),
    };
  },
  webdav({ webdavUrl, user, password }) {
    const signsIn = user.trim() !== "";
    return {
      kind: "webdav",
      url: webdavUrl.trim(),
      ...(signsIn ? { user: user.trim() } : {}),
      ...(signsIn && password !== "" ? { password } : {}),
    };
  },
  overlay: ({ upper, lower }) => ({ kind: "overlay", upper, lower }),
};

/** The credentials that were written, if they were. */
export function credentialsFrom(draft: MountDraft): MountCredentials | undefined {
  const { kind, access, accessKeyId, secretAccessKey, sessionToken, password } = draft;
  if (kind === "webdav") return password === "" ? undefined : { password };
  if (access === "public" || accessKeyId.trim() === "" || secretAccessKey.trim() === "") return undefined;
  const token = sessionToken.trim();
  return {
    accessKeyId: accessKeyId.trim(),
    secretAccessKey: secretAccessKey.trim(),
    ...(token && { sessionToken: token }),
  };
}

/** The mount a draft without problems stands for. */
export function newMountFrom(draft: MountDraft, mounts: readonly MountView[]): NewMount | undefined {
  const source = chosenSource(draft);
  return source && { ...source, prefix: draftPrefix(draft, mounts), readOnly: draftReadOnly(draft) };
}

/** What a draft makes another of a mount. Its source is named only when it is another: to name it opens or fetches it anew. */
export function patchFrom(draft: MountDraft, mount: MountView): MountPatch {
  const source = chosenSource(draft);
  const before = chosenSource(draftOf(mount, []));
  const isOther = source !== undefined && JSON.stringify(source) !== JSON.stringify(before);
  const isChosen = draft.folder !== undefined || draft.file !== undefined;
  const hasSource = draft.kind !== "memory" && draft.kind !== "idb" && draft.kind !== "host";
  return {
    prefix: draft.prefix ?? mount.prefix,
    readOnly: draft.readOnly ?? mount.readOnly,
    ...(hasSource && source && (isOther || isChosen) ? { source } : {}),
  };
}
