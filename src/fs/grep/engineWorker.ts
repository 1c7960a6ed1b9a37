import { limits } from "../../base";
import {
  partOfHash,
  type EngineReply,
  type FromEngineWorker,
  type TextsMessage,
  type ToEngineWorker,
} from "./engineProtocol";
import { HeldTexts } from "./heldTexts";
import { HitSearch } from "./hitSearch";
import { TreeMirror } from "./treeMirror";

/* The worker of the engine (workerEngine.ts): keeps trees and texts, answers queries a reply at a time. */

const trees = new TreeMirror();
const held = new HeldTexts(limits.grepHeldTextBytes / limits.grepWorkers);
const searches = new Map<number, HitSearch>();

function post(message: FromEngineWorker): void {
  self.postMessage(message, []);
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
    case "texts":
      keepTexts(message);
      break;
    case "search":
    default:
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

function keepTexts({ queryId, texts }: TextsMessage): void {
  for (const [hash, bytes] of texts) {
    const { text, isKept } = held.add(hash, bytes, () => trees.hashesInUse());
    if (!isKept && queryId !== undefined) searches.get(queryId)?.addPassing(hash, text);
  }
}

self.addEventListener("message", ({ data }: MessageEvent<ToEngineWorker>) => receive(data));
post({ kind: "ready" });
