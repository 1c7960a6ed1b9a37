import type { OfferedTool } from "./offeredTool";

/** Where in the kept original an event comes from. */
export interface EventOrigin {
  /** The path of the file, where there are several. */
  readonly file?: string;
  /** From 1; absent where the file has no lines. */
  readonly line?: number;
  /** Of the record's first byte in its file. */
  readonly byte: number;
  /** Bytes of the record. */
  readonly length: number;
  /** JSON pointer into the record. */
  readonly pointer?: string;
}

/** Something of an imported file that was lost or mended, and where. */
export interface ImportWarning {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  readonly byteOffset?: number;
  readonly jsonPointer?: string;
  /** Whether what it is about is in the log all the same, raw. */
  readonly kept?: boolean;
}

/** How much of what happened an imported file tells. */
export interface ImportFidelity {
  readonly times: "real" | "missing" | "naive";
  readonly callIds: "real" | "made";
  readonly results: "full" | "truncated" | "masked" | "absent";
  readonly usage: "per-call" | "cumulative" | "absent";
  readonly files: "snapshot" | "inferred" | "none";
}

/** What the recording says of the session itself. */
export interface RecordedSession {
  /** The id this log has: the recording's own where there is one. */
  readonly id: string;
  readonly title?: string;
  readonly agentName?: string;
  readonly agentVersion?: string;
  readonly modelId?: string;
  /** Directory the recorded paths begin at. */
  readonly cwd?: string;
  readonly instructions?: string;
  readonly tools?: readonly OfferedTool[];
  /** The session whose call this one works for. */
  readonly parent?: { readonly sessionId: string; readonly callId?: string };
  /** Set on a branch that is not the newest: what it is called. */
  readonly branch?: string;
}
