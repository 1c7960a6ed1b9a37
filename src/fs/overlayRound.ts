import { PathError } from "./pathError";

/**
 * What became of one question that all layers of an overlay were asked. A layer has served when it answered anything, "there
 * is nothing" included; one that failed costs its own answers only, unless all did.
 */
export class OverlayRound {
  readonly #errors = new Map<number, unknown>();
  readonly #served = new Set<number>();

  /** The layer's items; a failure ends them. @throws what is wrong with the question itself */
  async *itemsOf<T>(layer: number, ask: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    try {
      for await (const item of ask()) {
        this.#served.add(layer);
        yield item;
      }
      this.#served.add(layer);
    } catch (error) {
      this.#failed(layer, error);
    }
  }

  /** The layer's answer; `undefined` when it failed or has none. @throws what is wrong with the question itself */
  async answerOf<T>(layer: number, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask();
      this.#served.add(layer);
      return answer;
    } catch (error) {
      this.#failed(layer, error);
      return undefined;
    }
  }

  /** @throws the first layer's error, when there was no layer that served */
  end(): void {
    if (this.#served.size > 0 || this.#errors.size === 0) return;
    const [first] = [...this.#errors].toSorted(([a], [b]) => a - b);
    throw first?.[1];
  }

  #failed(layer: number, error: unknown): void {
    if (isAboutQuestion(error)) throw error;
    if (isMissing(error)) {
      this.#served.add(layer);
      return;
    }
    // Half an answer is none.
    this.#served.delete(layer);
    this.#errors.set(layer, error);
  }
}

/** A pattern or a path that every layer would refuse, or a path that is there but is not what was asked for. */
function isAboutQuestion(error: unknown): boolean {
  if (!(error instanceof PathError)) return false;
  return ["invalid-grep-pattern", "invalid-path", "not-a-file"].includes(error.code);
}

/** As the search root of a host's disk is missing by an error. */
function isMissing(error: unknown): boolean {
  return error instanceof PathError && (error.code === "not-found" || error.code === "not-a-directory");
}
