import { PathError, UnavailableError, type FileEntry, type SnapshotTree } from "../fs";
import { initialSessionState, reduceSession, type FileChange, type SessionEvent, type SessionState } from "../session";

/** Contents by their hash. */
export interface BlobReader {
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** A log as it can be scrubbed: what the session and its tree were after each event. */
export interface Replay {
  readonly eventCount: number;
  readonly events: readonly SessionEvent[];
  /** Indexes of the events that begin a step. */
  readonly stepIndexes: readonly number[];
  /** Indexes of the events after which the tree was another one. */
  readonly changeIndexes: readonly number[];
  /** The state after the event at `index`; before the first event for -1. */
  stateAt(index: number): SessionState;
  /** The tree after the event at `index`; contents are read when they are asked for. */
  treeAt(index: number): SnapshotTree;
}

/** States are kept at every so many events and folded on from there: memory stays small, a jump stays below a frame. */
const CHECKPOINT_EVENTS = 256;

/**
 * Replay of a log on the tree it began with. One pass over the events finds the trees; states are folded as far as they
 * are asked for. A change that does not fit the tree, as a broken import may hold, is left out.
 */
export function createReplay(events: readonly SessionEvent[], start: SnapshotTree, blobs: BlobReader): Replay {
  const trees = treesOf(events, start, blobs);
  const states = new StateLookup(events);
  const clamped = (index: number): number => Math.max(-1, Math.min(index, events.length - 1));
  return {
    eventCount: events.length,
    events,
    stepIndexes: events.flatMap((event, index) => (event.type === "step.started" ? [index] : [])),
    changeIndexes: trees.changeIndexes,
    stateAt: (index) => states.at(clamped(index)),
    treeAt: (index) => trees.at(clamped(index)),
  };
}

function treesOf(
  events: readonly SessionEvent[],
  start: SnapshotTree,
  blobs: BlobReader,
): { readonly changeIndexes: readonly number[]; at(index: number): SnapshotTree } {
  const trees = [start];
  const changeIndexes: number[] = [];
  // Which of the trees holds after each event.
  const numbers = new Uint32Array(events.length);
  for (const [index, event] of events.entries()) {
    const changes = event.type === "action.result" || event.type === "tree.changed" ? event.data.changes : undefined;
    if (changes !== undefined && changes.length > 0) {
      const modifiedAt = Date.parse(event.meta.at);
      trees.push(changedTree(trees.at(-1) ?? start, changes, Number.isNaN(modifiedAt) ? 0 : modifiedAt, blobs));
      changeIndexes.push(index);
    }
    numbers[index] = trees.length - 1;
  }
  return { changeIndexes, at: (index) => trees[numbers[index] ?? 0] ?? start };
}

/** The tree with the changes of one event. */
export function changedTree(
  tree: SnapshotTree,
  changes: readonly FileChange[],
  modifiedAt: number,
  blobs: BlobReader,
): SnapshotTree {
  let changed = tree;
  for (const change of changes) {
    try {
      changed =
        change.after === undefined
          ? changed.without(change.path)
          : changed.withFile(change.path, blobFile(change.path, change, modifiedAt, blobs));
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
    }
  }
  return changed;
}

/** A file whose contents lie in a store of blobs. */
export function blobFile(
  path: string,
  file: { readonly after?: string; readonly sizeBytes?: number },
  modifiedAt: number,
  blobs: BlobReader,
): FileEntry {
  const hash = file.after ?? "";
  return {
    kind: "file",
    hash,
    sizeBytes: file.sizeBytes ?? 0,
    modifiedAt,
    async bytes() {
      const bytes = await blobs.get(hash);
      if (bytes === undefined) throw new UnavailableError(path, "the saved session does not hold these contents");
      return bytes;
    },
  };
}

class StateLookup {
  readonly #events: readonly SessionEvent[];
  /** `#checkpoints[n]` is the state before event `n * CHECKPOINT_EVENTS`. */
  readonly #checkpoints: SessionState[] = [initialSessionState];
  /** The last answer: stepping forward goes on from it. */
  #last = { index: -1, state: initialSessionState };

  constructor(events: readonly SessionEvent[]) {
    this.#events = events;
  }

  at(index: number): SessionState {
    let { index: from, state } = this.#last;
    const nearest = Math.min(Math.floor((index + 1) / CHECKPOINT_EVENTS), this.#checkpoints.length - 1);
    const checkpointAt = nearest * CHECKPOINT_EVENTS - 1;
    if (from > index || from < checkpointAt) {
      from = checkpointAt;
      state = this.#checkpoints[nearest] ?? initialSessionState;
    }
    for (let next = from + 1; next <= index; next++) {
      const event = this.#events[next];
      if (event !== undefined) state = reduceSession(state, event, next);
      if ((next + 1) % CHECKPOINT_EVENTS === 0) this.#checkpoints[(next + 1) / CHECKPOINT_EVENTS] ??= state;
    }
    this.#last = { index, state };
    return state;
  }
}
