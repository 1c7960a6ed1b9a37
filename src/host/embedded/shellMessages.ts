import type { HostErrorCode, ShellEnd } from "../host";

/** The page and the shell's worker; each `run` is answered once, by `result` or by the worker's end. */
export type ToShell =
  | {
      readonly kind: "open";
      readonly databaseName: string;
      readonly diskName: string;
      readonly modes: readonly (readonly [path: string, mode: number])[];
      /** One number in shared memory, set to 1 when the command that runs is to end: a loop hears no message. */
      readonly stopFlag: Int32Array | undefined;
    }
  | ({ readonly kind: "run" } & ShellJob)
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "flush"; readonly id: number }
  | { readonly kind: "close" };

export interface ShellJob {
  readonly id: number;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  /** Names the file of its output, where that is long. */
  readonly outputId: string;
}

export type FromShell =
  | { readonly kind: "ready" }
  | { readonly kind: "refused"; readonly code: HostErrorCode; readonly message: string }
  /** The command has ended; what it wrote and printed is being stored, which is not to be cut short. */
  | { readonly kind: "storing"; readonly id: number }
  | { readonly kind: "result"; readonly id: number; readonly result: ShellAnswer }
  | { readonly kind: "flushed"; readonly id: number; readonly problem?: string };

/** A `ShellResult` as the worker knows it. */
export interface ShellAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly end: ShellEnd;
  readonly truncated?: { readonly totalBytes: number; readonly path?: string };
  /** Modes of files, for the worker after this one. */
  readonly modes: readonly (readonly [path: string, mode: number])[];
}
