import type { GrepQuery, SearchQuery } from "../fileSystem";
import type { FoundPassage } from "../search/foundPassage";
import type { PackedHits } from "./packedHits";

/** What the page sends to a worker that holds texts. A message with a `requestId` is answered once. */
export type ToEngineWorker =
  | NodesMessage
  | { readonly kind: "forgetNodes" }
  | {
      readonly kind: "open";
      readonly queryId: number;
      /** The id of the root directory's children; 0 when it has none. */
      readonly root: number;
      readonly query: GrepQuery;
      /** This worker searches the files whose hash falls to `part` of `parts`. */
      readonly part: number;
      readonly parts: number;
      /** Hits to pass over: they were delivered before an earlier worker was lost. */
      readonly skippedHits: number;
    }
  | { readonly kind: "next"; readonly requestId: number; readonly queryId: number }
  | { readonly kind: "close"; readonly queryId: number }
  /** The page no longer holds these texts: hits in them are to bring their lines. */
  | { readonly kind: "textsGone"; readonly hashes: readonly string[] }
  | TextsMessage
  | { readonly kind: "search"; readonly requestId: number; readonly root: number; readonly query: SearchQuery };

/**
 * Children of directories as they lie in their balanced maps (childMap.ts), each after those it refers to. The first has
 * the id `firstId`, the next one more.
 */
export interface NodesMessage {
  readonly kind: "nodes";
  readonly firstId: number;
  /** Joined by NUL. */
  readonly names: string;
  /** The hashes of those that are files, 64 digits each. */
  readonly hashes: string;
  /** Four numbers a node: the ids left and right of it (0 is none), the id of its children (-1 for a file), its bytes. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

export interface TextsMessage {
  readonly kind: "texts";
  /** The query that needs them; absent for the search index. */
  readonly queryId?: number;
  readonly texts: readonly ShippedText[];
}

export interface ShippedText {
  readonly hash: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The page holds it as a string: offsets are enough to tell it of a hit. */
  readonly isOnPage: boolean;
}

export type FromEngineWorker =
  | { readonly kind: "ready" }
  /** Long work goes on. */
  | { readonly kind: "alive" }
  | EngineReply;

export type EngineReply =
  | HitsReply
  | { readonly kind: "found"; readonly requestId: number; readonly passages: readonly FoundPassage[] }
  /** The index needs these files first. */
  | { readonly kind: "needed"; readonly requestId: number; readonly paths: readonly string[] }
  /** `isPattern`: the expression needed more stack than there is. */
  | { readonly kind: "failed"; readonly requestId: number; readonly message: string; readonly isPattern: boolean };

export interface HitsReply {
  readonly kind: "hits";
  readonly requestId: number;
  readonly hits: PackedHits;
  /** All hits in files up to this path were sent. */
  readonly searchedTo: string;
  readonly isDone: boolean;
  /** Files whose texts must come before the next reply can hold more. */
  readonly neededPaths: readonly string[];
}

/** Which of `parts` workers holds a text. */
export function partOfHash(hash: string, parts: number): number {
  return Number.parseInt(hash.slice(0, 6), 16) % parts;
}

/** Bytes of texts asked for at once. */
export const NEEDED_BYTES = 4 * 1024 * 1024;
