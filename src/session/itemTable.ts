import type { SessionItem } from "./sessionItem";

const CHUNK = 64;

type Chunks = readonly (readonly SessionItem[])[];

/**
 * The rows of a session by id, immutable: a change gives a new table and leaves this one as it was. It costs one chunk
 * of rows and the list of chunks, so a log of many thousand events folds without copying the rows each time. A row that
 * did not change stays the same object.
 */
export class ItemTable {
  static readonly empty = new ItemTable([], new Map(), 0);

  readonly #chunks: Chunks;
  /**
   * Where an id stands. Positions never change and rows are never taken away, so tables that grew from one another share
   * this map; `size` hides what later tables added. Two tables grown from the same one do not share it: the second takes a copy.
   */
  readonly #positions: Map<string, number>;
  readonly size: number;

  private constructor(chunks: Chunks, positions: Map<string, number>, size: number) {
    this.#chunks = chunks;
    this.#positions = positions;
    this.size = size;
  }

  get(id: string): SessionItem | undefined {
    const position = this.#position(id);
    return position === undefined ? undefined : this.#chunks[Math.floor(position / CHUNK)]?.[position % CHUNK];
  }

  /** The table with this row added at the end, or put in the place of the row of the same id. */
  with(item: SessionItem): ItemTable {
    const position = this.#position(item.id);
    if (position === undefined) return this.#added(item);
    const number = Math.floor(position / CHUNK);
    const chunk = this.#chunks[number] ?? [];
    if (chunk[position % CHUNK] === item) return this;
    return new ItemTable(this.#chunks.with(number, chunk.with(position % CHUNK, item)), this.#positions, this.size);
  }

  /** The rows in order. */
  *[Symbol.iterator](): IterableIterator<SessionItem> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  #position(id: string): number | undefined {
    const position = this.#positions.get(id);
    return position !== undefined && position < this.size ? position : undefined;
  }

  #added(item: SessionItem): ItemTable {
    const positions = this.#positions.size === this.size && this.size > 0 ? this.#positions : this.#copiedPositions();
    positions.set(item.id, this.size);
    const last = this.#chunks.at(-1);
    const chunks =
      last !== undefined && last.length < CHUNK
        ? this.#chunks.with(this.#chunks.length - 1, [...last, item])
        : [...this.#chunks, [item]];
    return new ItemTable(chunks, positions, this.size + 1);
  }

  #copiedPositions(): Map<string, number> {
    return new Map([...this.#positions].slice(0, this.size));
  }
}
