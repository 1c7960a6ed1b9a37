import { limits } from "../../base";
import {
  partOfHash,
  type EngineReply,
  type FromEngineWorker,
  type TextsMessage,
  type ToEngineWorker,
} from "./engineProtocol";
import { decodedText } from "./decodedText";
import type { SearchQuery } from "../fileSystem";
import { IndexShelf } from "../search/indexShelf";
import { HeldTexts } from "./heldTexts";
import { HitSearch } from "./hitSearch";
import { hitBuffers } from "./packedHits";
import { TreeMirror } from "./treeMirror";

/* The worker of the engine (workerEngine.ts): keeps trees and texts, answers queries a reply at a time. */

const trees = new TreeMirror();
const held = new HeldTexts(limits.grepHeldTextBytes / limits.grepWorkers);
const shelf = new IndexShelf(() => post({ kind: "alive" }));
const searches = new Map<number, HitSearch>();

function post(message: FromEngineWorker): void {
  self.postMessage(message, message.kind === "hits" ? hitBuffers(message.hits) : []);
}

function receive(message: ToEngineWorker): void {
  switch (message.kind) {
    case "nodes":
      trees.add(message);
      break;
    case "forgetNodes":
      trees.forget();
      break;
    case "open": {
      const { root, query, part, parts, skippedHits } = message;
      const files = trees.files(root, `${part}/${parts}`, (hash) => partOfHash(hash, parts) === part);
      searches.set(message.queryId, new HitSearch(files, query, skippedHits, held));
      break;
    }
    case "next":
      answer(message.requestId, () => nextHits(message.requestId, message.queryId));
      break;
    case "close":
      searches.delete(message.queryId);
      break;
    case "textsGone":
      for (const hash of message.hashes) held.leftPage(hash);
      break;
    case "texts":
      keepTexts(message);
      break;
    case "search":
    default:
      answer(message.requestId, () => foundPassages(message.requestId, message.root, message.query));
      break;
  }
}

function answer(requestId: number, reply: () => EngineReply): void {
  try {
    post(reply());
  } catch (error) {
    // The engine's own stack ran out in an expression.
    const isPattern = error instanceof RangeError;
    post({ kind: "failed", requestId, message: String(error), isPattern });
  }
}

function nextHits(requestId: number, queryId: number): EngineReply {
  const search = searches.get(queryId);
  if (search === undefined) throw new Error("the query is not open");
  const reply = search.next();
  if (reply.isDone) searches.delete(queryId);
  return { kind: "hits", requestId, ...reply };
}

function foundPassages(requestId: number, root: number, query: SearchQuery): EngineReply {
  return { requestId, ...shelf.search(trees.tree(root), query) };
}

function keepTexts({ queryId, texts }: TextsMessage): void {
  const search = queryId === undefined ? undefined : searches.get(queryId);
  for (const shipped of texts) {
    if (queryId === undefined) {
      shelf.addText(shipped.hash, decodedText(shipped.bytes)?.text);
      continue;
    }
    const { text, isKept } = held.add(shipped, () => trees.hashesInUse());
    if (!isKept) search?.addPassing(shipped.hash, text);
  }
  search?.goOn();
}

self.addEventListener("message", ({ data }: MessageEvent<ToEngineWorker>) => receive(data));
post({ kind: "ready" });
