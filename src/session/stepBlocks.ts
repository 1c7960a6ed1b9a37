import type { JsonObject, JsonValue } from "../base";
import type { GuardedPart } from "../model";
import type { EventDraft } from "./eventStamp";
import type { FinishReason } from "./sessionEvent";
import type { StepPlace } from "./turnRun";

type BlockPart = Extract<GuardedPart, { type: `${"text" | "reasoning"}-${"start" | "delta" | "end"}` }>;

interface Block {
  readonly kind: "text" | "reasoning";
  text: string;
  metadata: JsonObject | undefined;
  isOver: boolean;
}

/**
 * The text and reasoning blocks of one model call as events. Pieces are told as they come. Ends are told in the order of
 * the blocks, which is the order they must go back to the provider in; a text's end names the finish reason, so it and
 * what follows it wait until that is known.
 */
export class StepBlocks {
  readonly #place: StepPlace;
  readonly #byKey = new Map<string, Block>();
  readonly #waiting: Block[] = [];

  constructor(place: StepPlace) {
    this.#place = place;
  }

  add(part: BlockPart): EventDraft[] {
    const kind = part.type.startsWith("text") ? "text" : "reasoning";
    const key = `${kind} ${part.id}`;
    let block = this.#byKey.get(key);
    if (block === undefined || block.isOver) {
      block = { kind, text: "", metadata: undefined, isOver: false };
      this.#byKey.set(key, block);
      this.#waiting.push(block);
    }
    block.metadata = mergedMetadata(block.metadata, part.providerMetadata);
    if (part.type === "text-delta" || part.type === "reasoning-delta") {
      block.text += part.delta;
      return part.delta === "" ? [] : [this.#piece(kind, part.delta)];
    }
    if (part.type === "text-end" || part.type === "reasoning-end") block.isOver = true;
    const drafts: EventDraft[] = [];
    while (this.#waiting[0]?.kind === "reasoning" && this.#waiting[0].isOver) {
      drafts.push(...this.#end(this.#waiting.shift(), "other"));
    }
    return drafts;
  }

  /** The ends of all blocks that were not told yet. */
  end(finishReason: FinishReason): EventDraft[] {
    return this.#waiting.splice(0).flatMap((block) => this.#end(block, finishReason));
  }

  #piece(kind: Block["kind"], delta: string): EventDraft {
    return kind === "text"
      ? { type: "message.appended", data: { ...this.#place, messageDelta: delta } }
      : { type: "reasoning.appended", data: { ...this.#place, reasoningDelta: delta } };
  }

  #end(block: Block | undefined, finishReason: FinishReason): EventDraft[] {
    // A block with neither text nor metadata says nothing; redacted reasoning has metadata alone.
    if (block === undefined || (block.text === "" && block.metadata === undefined)) return [];
    const metadata = block.metadata === undefined ? {} : { providerMetadata: block.metadata };
    if (block.kind === "reasoning") {
      return [{ type: "reasoning.completed", data: { ...this.#place, reasoning: block.text, ...metadata } }];
    }
    if (block.text === "") return [];
    return [{ type: "message.completed", data: { ...this.#place, message: block.text, finishReason, ...metadata } }];
  }
}

/** What a provider says on the parts of a block, by provider; a later word wins. */
function mergedMetadata(before: JsonObject | undefined, more: JsonObject | undefined): JsonObject | undefined {
  if (more === undefined || before === undefined) return more ?? before;
  const merged: Record<string, JsonValue | undefined> = { ...before };
  for (const [provider, value] of Object.entries(more)) {
    const known = merged[provider];
    merged[provider] = isObject(known) && isObject(value) ? { ...known, ...value } : value;
  }
  return merged;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
