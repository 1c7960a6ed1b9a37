import type { SessionItem } from "./sessionItem";
import { StateList } from "./stateList";

/** The rows of a session by id, immutable as the list they lie in. A row that did not change stays the same object. */
export class ItemTable {
  static readonly empty = new ItemTable(StateList.empty, new Map());

  readonly #rows: StateList<SessionItem>;
  /**
   * Where an id stands. Positions never change and rows are never taken away, so tables that grew from one another share
   * this map; `size` hides what later tables added. Two tables grown from the same one do not share it: the second takes a copy.
   */
  readonly #positions: Map<string, number>;

  private constructor(rows: StateList<SessionItem>, positions: Map<string, number>) {
    this.#rows = rows;
    this.#positions = positions;
  }

  get size(): number {
    return this.#rows.length;
  }

  get(id: string): SessionItem | undefined {
    const position = this.#position(id);
    return position === undefined ? undefined : this.#rows.get(position);
  }

  /** The table with this row added at the end, or put in the place of the row of the same id. */
  with(item: SessionItem): ItemTable {
    const position = this.#position(item.id);
    if (position === undefined) return this.#added(item);
    const rows = this.#rows.with(position, item);
    return rows === this.#rows ? this : new ItemTable(rows, this.#positions);
  }

  /** The rows in order. */
  [Symbol.iterator](): IterableIterator<SessionItem> {
    return this.#rows[Symbol.iterator]();
  }

  #position(id: string): number | undefined {
    const position = this.#positions.get(id);
    return position !== undefined && position < this.size ? position : undefined;
  }

  #added(item: SessionItem): ItemTable {
    const positions = this.#positions.size === this.size && this.size > 0 ? this.#positions : this.#copiedPositions();
    positions.set(item.id, this.size);
    return new ItemTable(this.#rows.appended(item), positions);
  }

  #copiedPositions(): Map<string, number> {
    return new Map([...this.#positions].slice(0, this.size));
  }
}
