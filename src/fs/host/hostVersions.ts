import { ConflictError, FileNotFoundError, NotAFileError, ElsewhereError } from "../pathError";
import type { HostEntry, HostFile, HostFilesApi, WriteCondition } from "./hostFilesApi";

/**
 * Which version of each path this handle has seen last, and the writes that are conditional on it. Writes of one path wait
 * for each other, so that a handle never loses a race against itself.
 */
export class HostVersions {
  readonly #files: HostFilesApi;
  readonly #asksFirst: boolean;
  readonly #etags = new Map<string, string>();
  readonly #latest = new Map<string, Promise<unknown>>();

  constructor(files: HostFilesApi, asksFirst: boolean) {
    this.#files = files;
    this.#asksFirst = asksFirst;
  }

  async read(path: string): Promise<HostFile | undefined> {
    return this.#inTurn(path, async () => {
      const file = await this.#files.read(path);
      this.#saw(path, file?.etag);
      return file;
    });
  }

  /** `placeFor` answers what is at the path, asked before the first write of it. @throws ConflictError and what it throws */
  async write(path: string, bytes: Uint8Array, placeFor: () => Promise<HostEntry | undefined>): Promise<void> {
    await this.#inTurn(path, async () => {
      const seen = this.#etags.get(path);
      const condition: WriteCondition | undefined =
        seen === undefined ? this.#firstCondition(path, await placeFor()) : { ifMatch: seen };
      const written = await this.#files.write(path, bytes, condition);
      if (written.kind === "changed") throw await this.#conflict(path, condition);
      this.#saw(path, written.etag);
    });
  }

  /** @throws FileNotFoundError, NotAFileError, ConflictError */
  async delete(path: string, placeFor: () => Promise<HostEntry | undefined>): Promise<void> {
    await this.#inTurn(path, async () => {
      let expected = this.#etags.get(path);
      if (expected === undefined) {
        const there = await placeFor();
        if (there === undefined) throw new FileNotFoundError(path);
        if (there.kind === "directory") throw new NotAFileError(path);
        if (this.#asksFirst) expected = knownEtag(there);
      }
      const outcome = await this.#files.delete(path, expected);
      if (outcome === "changed") {
        const conflict = await this.#conflict(path, expected === undefined ? undefined : { ifMatch: expected });
        if (conflict.actualHash !== undefined) throw conflict;
      }
      this.#etags.delete(path);
      // Somebody else deleted it first: there is nothing here that could get lost.
      if (outcome !== "deleted") throw new FileNotFoundError(path);
    });
  }

  #firstCondition(path: string, there: HostEntry | undefined): WriteCondition | undefined {
    if (!this.#asksFirst) return undefined;
    return there === undefined ? { ifNoneMatch: "*" } : { ifMatch: knownEtag({ ...there, path }) };
  }

  /** The version seen stays what it was: until somebody reads the new one, nothing may be written over it. */
  async #conflict(path: string, condition: WriteCondition | undefined): Promise<ConflictError> {
    const expected = condition !== undefined && "ifMatch" in condition ? condition.ifMatch : undefined;
    return new ConflictError(path, expected, (await this.#files.stat(path))?.etag);
  }

  #saw(path: string, etag: string | undefined): void {
    if (etag === undefined) this.#etags.delete(path);
    else this.#etags.set(path, etag);
  }

  async #inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#latest.get(path);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    this.#latest.set(path, turn);
    try {
      return await turn;
    } finally {
      if (this.#latest.get(path) === turn) this.#latest.delete(path);
    }
  }
}

function knownEtag({ path, etag }: HostEntry): string {
  if (etag === undefined) throw new ElsewhereError(path, "The store does not say which version of the file it has.");
  return etag;
}
