import type { S3Credentials } from "../fs";
import type { Keyring } from "../secrets";
import type { MountCredentials } from "./chosenMount";

/** The credentials of one mount: in the keyring, so in memory only and out of every log. */
export interface MountSecrets {
  /** Binds them to the origin of `url`, in place of what it had. */
  give(url: string, credentials: MountCredentials): void;
  s3(url: string): S3Credentials | undefined;
  password(url: string): string | undefined;
  forget(url: string): void;
}

const PARTS = ["accessKeyId", "secretAccessKey", "sessionToken", "password"] as const;
type Part = (typeof PARTS)[number];

/** `holder` names the mount among all of this browser. */
export function mountSecrets(keyring: Keyring, holder: string): MountSecrets {
  const slot = (part: Part) => `mount ${holder} ${part}`;
  return {
    give(url, credentials) {
      const parts: Partial<Record<Part, string | undefined>> = credentials;
      for (const part of PARTS) keyring.set(url, parts[part] ?? "", slot(part));
    },
    s3(url) {
      const [accessKeyId, secretAccessKey, sessionToken] = PARTS.map((part) => keyring.get(url, slot(part)));
      if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
      return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
    },
    password: (url) => keyring.get(url, slot("password")),
    forget(url) {
      for (const part of PARTS) keyring.forget(url, slot(part));
    },
  };
}
