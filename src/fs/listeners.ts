/** Those who want to know when something changes. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  /** A method that can be handed on by itself. The same function subscribed twice is called twice. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
