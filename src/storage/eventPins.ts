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
