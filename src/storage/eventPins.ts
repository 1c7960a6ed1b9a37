import type { Pins } from "../fs";
import type { FileChange, SessionEvent } from "../session";

/** What a stored event names and must be kept with it: contents and trees by hash. */
export function eventPins(event: SessionEvent): Pins {
  switch (event.type) {
    case "session.started": {
      const snapshot = event.data.playground?.snapshot;
      return { contents: [], trees: snapshot === undefined ? [] : [snapshot] };
    }
    case "tree.changed": {
      const { changes, snapshot } = event.data;
      return { contents: changedHashes(changes), trees: snapshot === undefined ? [] : [snapshot] };
    }
    case "step.started": {
      const blob = event.data.request?.blob;
      return { contents: blob === undefined ? [] : [blob], trees: [] };
    }
    case "action.result":
      return { contents: changedHashes(event.data.changes), trees: [] };
    default:
      // Of a type this version does not know, nothing is known to be named.
      return { contents: [], trees: [] };
  }
}

function changedHashes(changes: readonly FileChange[] = []): string[] {
  return changes.flatMap(({ before, after }) => [before, after]).filter((hash) => hash !== undefined);
}

const NAMED_BLOB = /"\$?blob":"([0-9a-f]{64})"/g;

/**
 * Values a stored line refers to as `$blob` or `blob`, as imports do for what is large, for images and for texts of files. A
 * text that speaks of such has its quotes escaped.
 */
export function namedBlobs(line: string): string[] {
  if (!line.includes('blob":"')) return [];
  return [...line.matchAll(NAMED_BLOB)].flatMap(([, hash]) => hash ?? []);
}
