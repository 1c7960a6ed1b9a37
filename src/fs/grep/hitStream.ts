import { UnavailableError } from "../pathError";
import type { GrepQuery } from "../fileSystem";
import { normalizeFsPath } from "../path";
import type { SnapshotTree } from "../snapshotTree";
import type { EngineReply, HitsReply } from "./engineProtocol";
import { WorkerGoneError, type EngineSlot } from "./engineSlot";
import { GrepBudgetError } from "./grepBudgetError";
import { HitReader, hitPaths, isByOffsets, type PackedHits } from "./packedHits";
import { PageTexts } from "./pageTexts";
import { shippedTexts, transferables } from "./shippedTexts";

/** Replies a stream keeps before it stops asking: the worker searches while the page reads. */
const KEPT_REPLIES = 2;
/** Replies asked for at once, so that the worker need not wait for the page between two. */
const ASKED_REPLIES = 2;

let lastQueryId = 0;

/** The hits one worker finds for a query, in the order of their paths. */
export class HitStream {
  readonly #slot: EngineSlot;
  readonly #tree: SnapshotTree;
  readonly #query: GrepQuery;
  readonly #part: number;
  readonly #parts: number;
  readonly #changed: () => void;
  readonly #texts: PageTexts;
  readonly #readers: HitReader[] = [];
  /** What was asked and is not answered, in order. */
  #asked: Promise<EngineReply>[] = [];
  #queryId = 0;
  #openedIn = -1;
  #receivedHits = 0;
  #isClosed = false;
  #drained: (() => void) | undefined;
  /** All hits in files up to this path were received. */
  searchedTo = "";
  isDone = false;
  error: Error | undefined;

  /** `changed` is called when there is more to read, or the end, or an error. */
  constructor(
    slot: EngineSlot,
    search: { readonly tree: SnapshotTree; readonly query: GrepQuery; readonly part: number; readonly parts: number },
    changed: () => void,
  ) {
    this.#slot = slot;
    this.#tree = search.tree;
    this.#texts = new PageTexts(search.tree);
    this.#query = search.query;
    this.#part = search.part;
    this.#parts = search.parts;
    this.#changed = changed;
    void this.#pump();
  }

  /** What is to be read next; its path is defined. */
  get reader(): HitReader | undefined {
    while (this.#readers[0] !== undefined && this.#readers[0].path === undefined) {
      this.#readers.shift();
      this.#drained?.();
    }
    return this.#readers[0];
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#drained?.();
    if (this.#openedIn === this.#slot.generation) this.#slot.tell({ kind: "close", queryId: this.#queryId });
  }

  async #pump(): Promise<void> {
    try {
      while (!this.#isClosed && !this.isDone) {
        if (this.#readers.length >= KEPT_REPLIES) await new Promise<void>((resolve) => (this.#drained = resolve));
        else await this.#advance();
      }
    } catch (error) {
      if (!(error instanceof WorkerGoneError)) this.error = error instanceof Error ? error : new Error(String(error));
      else if (error.code === "stuck") this.error = this.#budgetError();
      else this.error = new UnavailableError(normalizeFsPath(this.#query.path ?? "/"), error.message);
      this.#changed();
    }
  }

  async #advance(): Promise<void> {
    try {
      if (this.#openedIn !== this.#slot.generation) await this.#open();
      if (this.#isClosed) return;
      while (this.#asked.length < ASKED_REPLIES) this.#asked.push(this.#ask());
      const reply = await this.#asked[0];
      if (reply === undefined) return;
      this.#asked = this.#asked.slice(1);
      if (reply.kind === "failed")
        throw reply.isPattern ? this.#budgetError() : new WorkerGoneError("failed", reply.message);
      if (reply.kind === "hits") await this.#receive(reply);
    } catch (error) {
      // Another query's pattern took the worker down: this one goes on in the next.
      if (!(error instanceof WorkerGoneError) || error.code !== "lost") throw error;
    }
  }

  #ask(): Promise<EngineReply> {
    const reply = this.#slot.ask({ kind: "next", queryId: this.#queryId });
    // One that fails behind another that failed is not waited for.
    reply.catch(() => undefined);
    return reply;
  }

  async #open(): Promise<void> {
    this.#asked = [];
    const queryId = ++lastQueryId;
    await this.#slot.ship(this.#tree, (root) => {
      this.#queryId = queryId;
      this.#openedIn = this.#slot.generation;
      this.#slot.tell({
        kind: "open",
        queryId,
        root,
        query: this.#query,
        part: this.#part,
        parts: this.#parts,
        skippedHits: this.#receivedHits,
      });
    });
    if (this.#isClosed) this.#slot.tell({ kind: "close", queryId });
  }

  async #receive(reply: HitsReply): Promise<void> {
    this.#receivedHits += reply.hits.lineNumbers.length;
    const paths = hitPaths(reply.hits);
    if (paths.length > 0) {
      const texts = paths.map((path, index) => (isByOffsets(reply.hits, index) ? this.#texts.held(path) : undefined));
      await this.#fillTexts(reply.hits, paths, texts);
      this.#readers.push(new HitReader(reply.hits, this.#query, { paths, texts }));
    }
    this.searchedTo = reply.searchedTo;
    this.isDone = reply.isDone;
    this.#changed();
    if (reply.neededPaths.length === 0) return;
    const texts = await shippedTexts(this.#tree, reply.neededPaths);
    this.#slot.tell({ kind: "texts", queryId: this.#queryId, texts }, transferables(texts));
  }

  /** A text that was held when it was shipped may lie in a store by now: it is read, and the worker told. */
  async #fillTexts(hits: PackedHits, paths: readonly string[], texts: (string | undefined)[]): Promise<void> {
    const hashes: string[] = [];
    for (const [index, path] of paths.entries()) {
      if (texts[index] !== undefined || !isByOffsets(hits, index)) continue;
      const { text, hash } = await this.#texts.read(path);
      texts[index] = text;
      hashes.push(hash);
    }
    if (hashes.length > 0 && this.#openedIn === this.#slot.generation) this.#slot.tell({ kind: "textsGone", hashes });
  }

  #budgetError(): GrepBudgetError {
    return new GrepBudgetError(normalizeFsPath(this.#query.path ?? "/"), this.#query.pattern);
  }
}
