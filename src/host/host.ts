import type { EditableFileSystem } from "../fs";

/** Where an agent without a root runs (docs/hosts.md): a disk, and a shell on the same disk. */
export interface Host {
  readonly kind: HostKind;
  readonly caps: HostCapabilities;
  /** The directory of the project on the host's disk. */
  readonly root: typeof HOST_ROOT;
  /** What the file tools and the shell share, rooted at `root`. */
  readonly disk: HostDisk;
  status(): HostStatus;
  /** Calls back after every change of the status; the function returned ends that. */
  onStatus(listener: (status: HostStatus) => void): () => void;
  /**
   * Makes the host ready; at once where it is. Ends within `limits.hostBootMs` whatever happens.
   * @throws HostError, after which the status is `failed` · an `AbortError` once the signal fires
   */
  boot(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Runs a command, booting first where needed. A command that fails, runs too long or is stopped is a result, not an error.
   * @throws HostError when the host cannot run any
   */
  shell(command: string, options?: ShellOptions): Promise<ShellResult>;
  /** Resolves when all the host has written is kept. @throws HostError `storage` */
  flush(): Promise<void>;
  /** Ends what runs and lets the host go; it cannot be booted again. */
  dispose(): Promise<void>;
}

export type HostKind = "embedded" | "webcontainer";

/** The directory of the project on either host. */
export const HOST_ROOT = "/home/project";

export interface HostCapabilities {
  /** Runs the real Node. */
  readonly realNode: boolean;
  /** Tells standard error from standard output. */
  readonly splitStderr: boolean;
  /** Tells output while a command runs. */
  readonly streaming: boolean;
  readonly needsNetwork: boolean;
  /** Serves ports that a frame can show. */
  readonly preview: boolean;
}

/** A tree a person can edit, rooted at the host's `root`. */
export type HostDisk = EditableFileSystem;

export type HostStatus =
  | { readonly state: "idle" }
  /** `phase` in words, e.g. `starting the shell`. */
  | { readonly state: "booting"; readonly phase: string }
  | { readonly state: "ready" }
  /** Works on, but not as it should: `reason` says what and what helps. */
  | { readonly state: "degraded"; readonly reason: string }
  | { readonly state: "failed"; readonly code: HostErrorCode; readonly message: string; readonly retry: boolean }
  | { readonly state: "disposed" };

export interface ShellOptions {
  /** Absolute path on the host; its `root` when omitted. */
  readonly cwd?: string;
  /** Over the host's own environment (docs/hosts.md, section 4). */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds until the command is killed; `limits.shellTimeoutMs` when omitted. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The command begins: until then it waits for the host, or for the command before it. Must not throw. */
  readonly onStart?: () => void;
  /** Output as it comes, where the host streams; the whole of it at the end where it does not. Must not throw. */
  readonly onOutput?: (chunk: ShellChunk) => void;
  /** Refuses every write to the disk. */
  readonly readOnly?: boolean;
  /** Hardened limits and no network commands. */
  readonly sandbox?: boolean;
}

export interface ShellChunk {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** How a command ended: `limit` is a bound of the shell itself (loops, call depth), `killed` a person's or the page's doing. */
export type ShellEnd = "exit" | "timeout" | "aborted" | "killed" | "limit" | "host-lost";

export interface ShellResult {
  /** Head and tail where it was long; `truncated` then says where all of it is. */
  readonly stdout: string;
  readonly stderr: string;
  /** 124 after a timeout, 130 when stopped. */
  readonly exitCode: number;
  readonly end: ShellEnd;
  /** `path` is absolute on the host; absent where the whole could not be kept. */
  readonly truncated?: { readonly totalBytes: number; readonly path?: string };
}

export type HostErrorCode =
  | "not-secure"
  | "not-isolated"
  | "unreachable"
  | "boot-timeout"
  | "boot-failed"
  | "busy-tab"
  | "storage"
  | "host-lost"
  | "disposed";

/** A host that cannot do what was asked. The message says what, and the way out. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;
  /** Whether trying again may help. */
  readonly retry: boolean;

  constructor(
    code: HostErrorCode,
    message: string,
    options: { readonly retry?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? false;
  }
}
