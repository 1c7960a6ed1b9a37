import { PathError, type SnapshotTree } from "../fs";
import { initialSessionState, reduceSession, type FileChange, type SessionEvent, type SessionState } from "../session";
import { blobFile, type BlobReader } from "./blobFile";
import { recordedChanges } from "./recordedChanges";

export { blobFile, type BlobReader } from "./blobFile";

/** A log, or a stretch of one, as it can be scrubbed: what the session and its tree were after each event. */
export interface Replay {
  /** Index in the log of the first event here: 0 of a whole log. */
  readonly from: number;
  /** Events of the log up to the last one here. */
  readonly eventCount: number;
  /** From `from` on. */
  readonly events: readonly SessionEvent[];
  /** Indexes of the events that begin a step. */
  readonly stepIndexes: readonly number[];
  /** Indexes of the events after which the tree was another one. */
  readonly changeIndexes: readonly number[];
  /** The event with an index of the log, when it is here. */
  eventAt(index: number): SessionEvent | undefined;
  /** The state after the event at `index`; before the first event for `from - 1`. */
  stateAt(index: number): SessionState;
  /** The tree after the event at `index`; contents are read when they are asked for. */
  treeAt(index: number): SnapshotTree;
}

/** Where a stretch of a log begins, and what the session was by then. */
export interface ReplayBase {
  readonly from: number;
  readonly state: SessionState;
}

/** States are kept at every so many events and folded on from there: memory stays small, a jump stays below a frame. */
const CHECKPOINT_EVENTS = 256;

const WHOLE_LOG: ReplayBase = { from: 0, state: initialSessionState };

/**
 * Replay of a log on the tree it began with. One pass over the events finds the trees; states are folded as far as they
 * are asked for. A change that does not fit the tree, as a broken import may hold, is left out.
 *
 * @param events from the base on
 * @param start the tree at the base
 */
export function createReplay(
  events: readonly SessionEvent[],
  start: SnapshotTree,
  blobs: BlobReader,
  base: ReplayBase = WHOLE_LOG,
): Replay {
  const { from } = base;
  const trees = treesOf(events, start, blobs);
  const states = new StateLookup(events, base);
  const placeOf = (index: number): number => Math.max(-1, Math.min(index - from, events.length - 1));
  return {
    from,
    eventCount: from + events.length,
    events,
    stepIndexes: events.flatMap((event, place) => (event.type === "step.started" ? [from + place] : [])),
    changeIndexes: trees.changePlaces.map((place) => from + place),
    eventAt: (index) => events[index - from],
    stateAt: (index) => states.at(placeOf(index)),
    treeAt: (index) => trees.at(placeOf(index)),
  };
}

function treesOf(
  events: readonly SessionEvent[],
  start: SnapshotTree,
  blobs: BlobReader,
): { readonly changePlaces: readonly number[]; at(place: number): SnapshotTree } {
  const trees = [start];
  const changePlaces: number[] = [];
  // Which of the trees holds after each event.
  const numbers = new Uint32Array(events.length);
  for (const [place, event] of events.entries()) {
    const changed = treeAfter(trees.at(-1) ?? start, event, blobs);
    if (changed !== undefined) {
      trees.push(changed);
      changePlaces.push(place);
    }
    numbers[place] = trees.length - 1;
  }
  return { changePlaces, at: (place) => trees[numbers[place] ?? 0] ?? start };
}

/** The tree after an event that changed files; `undefined` for any other. */
export function treeAfter(tree: SnapshotTree, event: SessionEvent, blobs: BlobReader): SnapshotTree | undefined {
  const changes = recordedChanges(event);
  if (changes.length === 0) return undefined;
  const modifiedAt = Date.parse(event.meta.at);
  return changedTree(tree, changes, Number.isNaN(modifiedAt) ? 0 : modifiedAt, blobs);
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

/** By places in the events, not by indexes of the log. */
class StateLookup {
  readonly #events: readonly SessionEvent[];
  readonly #base: ReplayBase;
  /** `#checkpoints[n]` is the state before the event at place `n * CHECKPOINT_EVENTS`. */
  readonly #checkpoints: SessionState[];
  /** The last answer: stepping forward goes on from it. */
  #last: { readonly place: number; readonly state: SessionState };

  constructor(events: readonly SessionEvent[], base: ReplayBase) {
    this.#events = events;
    this.#base = base;
    this.#checkpoints = [base.state];
    this.#last = { place: -1, state: base.state };
  }

  at(place: number): SessionState {
    let { place: reached, state } = this.#last;
    const nearest = Math.min(Math.floor((place + 1) / CHECKPOINT_EVENTS), this.#checkpoints.length - 1);
    const checkpointAt = nearest * CHECKPOINT_EVENTS - 1;
    if (reached > place || reached < checkpointAt) {
      reached = checkpointAt;
      state = this.#checkpoints[nearest] ?? this.#base.state;
    }
    for (let next = reached + 1; next <= place; next++) {
      const event = this.#events[next];
      if (event !== undefined) state = reduceSession(state, event, this.#base.from + next);
      if ((next + 1) % CHECKPOINT_EVENTS === 0) this.#checkpoints[(next + 1) / CHECKPOINT_EVENTS] ??= state;
    }
    this.#last = { place, state };
    return state;
  }
}
