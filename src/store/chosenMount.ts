import type { S3Credentials } from "../fs";
import type { AddressSource, OverlaySource, PackageSource, S3Source, WebdavSource } from "./mountRecord";

/** Where a mount's files are to come from, as a person says it. */
export type ChosenSource =
  | { readonly kind: "memory" }
  | { readonly kind: "idb" }
  | { readonly kind: "host" }
  | { readonly kind: "folder"; readonly handle: FileSystemDirectoryHandle }
  | { readonly kind: "archive"; readonly file: Blob; readonly fileName: string }
  | (Pick<AddressSource, "kind"> & { readonly url: string })
  | Pick<PackageSource, "kind" | "package">
  | (S3Source & { readonly endpoint: string; readonly credentials?: S3Credentials })
  | (WebdavSource & { readonly url: string; readonly password?: string })
  | OverlaySource;

/** A mount as a person asks for it. */
export type NewMount = ChosenSource & { readonly prefix: string; readonly readOnly: boolean };

/** What is to be another of a mount; the rest stays. A mount keeps its kind. */
export interface MountPatch {
  readonly prefix?: string;
  readonly readOnly?: boolean;
  /** All of the source's settings, of the mount's own kind. Credentials that are left out stay as they are. */
  readonly source?: ChosenSource;
}

/** What signs requests to a store: held in memory only, for one mount and the origin it was given for. */
export type MountCredentials = S3Credentials | { readonly password: string };
