import { normalizeFsPath } from "../fs";
import { HOST_ROOT } from "../host";
import type { Keyring } from "../secrets";
import type { ProjectStore } from "../storage";
import type { ChosenSource } from "./chosenMount";
import { mountSecrets } from "./mountCredentials";
import { holdsItself } from "./mountOverlay";
import { fillingOf, isFilledRecord, type MountRecord, type MountSource } from "./mountRecord";

/** Why files cannot come from there, or `undefined` when they may. `self` is the mount they are for. */
export function sourceProblem(choice: ChosenSource, self: string, records: readonly MountRecord[]): string | undefined {
  switch (choice.kind) {
    case "memory":
    case "idb":
    case "folder":
    case "archive":
      return undefined;
    case "host":
      return records.some(({ id, kind }) => kind === "host" && id !== self)
        ? "A project has one host disk, and it is there already."
        : undefined;
    case "address":
      return addressProblem(choice.url);
    case "package":
      return choice.package.trim() === "" ? "It needs the name of a package, e.g. zod or zod@3.25.0." : undefined;
    case "s3":
      if (choice.bucket.trim() === "") return "It needs the name of a bucket.";
      if (choice.region.trim() === "") return "It needs a region, e.g. us-east-1.";
      return addressProblem(choice.endpoint);
    case "webdav":
      return addressProblem(choice.url);
    case "overlay":
      break;
  }
  if (choice.upper === choice.lower) return "An overlay is of two different mounts.";
  if (![choice.upper, choice.lower].every((id) => records.some((record) => record.id === id))) {
    return "An overlay is of two mounts that are in the table.";
  }
  return holdsItself(choice, self, records) ? "An overlay cannot hold itself." : undefined;
}

/** The host disk is where the host's programs look for it, and nothing else is. @see docs/hosts.md */
export function hostPrefixProblem(kind: MountSource["kind"], prefix: string): string | undefined {
  const isItsPlace = normalizeFsPath(prefix) === HOST_ROOT;
  if (kind === "host" && !isItsPlace) return `The host disk stands at ${HOST_ROOT}, where its commands find it.`;
  return kind !== "host" && isItsPlace ? `${HOST_ROOT} is the host disk's own place.` : undefined;
}

function addressProblem(address: string): string | undefined {
  if (address.trim() === "") return "It needs an address, e.g. https://files.example.";
  if (!URL.canParse(address.trim())) return "This is no address: it begins with https:// or http://.";
  const { protocol, username, password } = new URL(address.trim());
  if (protocol !== "https:" && protocol !== "http:") return "An address begins with https:// or http://.";
  if (username || password) return "Leave user and password out of the address: they would be kept with it.";
  return undefined;
}

/** The source as the project keeps it; credentials and files of the computer are not in it. @throws QuotaError, UnavailableError */
export async function sourceFromChoice(
  choice: ChosenSource,
  mountId: string,
  storage: Pick<ProjectStore, "outside">,
): Promise<MountSource> {
  switch (choice.kind) {
    case "memory":
    case "overlay":
      return choice;
    case "idb":
    case "host":
      return { kind: choice.kind, disk: mountId };
    case "folder":
      return { kind: "folder", name: choice.handle.name, handle: await storage.outside.keepFolder(choice.handle) };
    case "archive":
      return { kind: "archive", disk: mountId, fileName: choice.fileName };
    case "address":
      return { kind: "address", disk: mountId, url: choice.url.trim() };
    case "package":
      return { kind: "package", disk: mountId, package: choice.package.trim() };
    case "s3": {
      const { credentials: _secret, folder, ...source } = choice;
      const isWhole = folder === undefined || folder.replaceAll("/", "").trim() === "";
      const trimmed = { bucket: source.bucket.trim(), region: source.region.trim(), endpoint: source.endpoint.trim() };
      return { ...source, ...trimmed, ...(isWhole ? {} : { folder }) };
    }
    case "webdav":
      break;
  }
  const { password: _secret, user, ...source } = choice;
  return { ...source, url: source.url.trim(), ...(user?.trim() ? { user: user.trim() } : {}) };
}

/** The source of a mount that is edited: what is not said anew stays, the disk and the time it was filled included. */
export async function sourceAfter(
  before: MountRecord,
  choice: ChosenSource | undefined,
  storage: Pick<ProjectStore, "outside">,
): Promise<MountSource> {
  if (choice === undefined || choice.kind === "memory" || choice.kind === "idb" || choice.kind === "host")
    return sourceOf(before);
  const source = await sourceFromChoice(choice, before.id, storage);
  if (!isFilledRecord(before)) return source;
  return { ...source, disk: before.disk, ...fillingOf(before) } as MountSource;
}

function sourceOf({
  id: _id,
  prefix: _prefix,
  readOnly: _readOnly,
  color: _color,
  ...source
}: MountRecord): MountSource {
  return source;
}

/** Credentials go to the keyring before the mount is opened with them; `holder` names the mount among all of this browser. */
export function keepSecrets(keyring: Keyring, holder: string, choice: ChosenSource): void {
  const secrets = mountSecrets(keyring, holder);
  if (choice.kind === "s3" && choice.credentials) secrets.give(choice.endpoint, choice.credentials);
  if (choice.kind === "webdav" && choice.password) secrets.give(choice.url, { password: choice.password });
}
