import type { FinishReason, Usage } from "../../../session";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, number, text } from "../jsonAccess";
import { blocksOf, isBlock, messageIdOf, typedCommand, userKindOf, whereOf, type Entry } from "./entry";
import { outputOf, partOf, writeToolResult } from "./toolResult";

export interface ThreadWriterOptions {
  readonly out: ImportBuilder;
  readonly draft: SessionDraft;
  /** Called where a person began anew; the session that follows. */
  readonly cleared: () => SessionDraft;
  /** Ids of calls that are known to have been refused. */
  readonly denied?: ReadonlySet<string>;
  /** Whether the draft has a title of its own already. */
  readonly isNamed?: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Writes the entries of one conversation down, in the order they are given. */
export class ThreadWriter {
  readonly #out: ImportBuilder;
  readonly #cleared: () => SessionDraft;
  readonly #denied: ReadonlySet<string>;
  #draft: SessionDraft;
  /** Whether anything was said since the conversation began. */
  #isBegun = false;
  /** Whether its title is one that was given to it. */
  #isNamed: boolean;
  /** A compaction whose summary may come with the next entry. */
  #compaction: { readonly value: unknown; readonly where: Where } | undefined;
  /** Results so far: what the model says after one is another response. */
  #resultCount = 0;
  readonly #titles = new Map<string, string>();
  #cwd: string | undefined;

  constructor({ out, draft, cleared, denied = NONE, isNamed = false }: ThreadWriterOptions) {
    this.#out = out;
    this.#draft = draft;
    this.#cleared = cleared;
    this.#denied = denied;
    this.#isNamed = isNamed;
  }

  write(entry: Entry, replay?: false): void {
    const { value, type } = entry;
    const where: Where = replay === false ? { ...whereOf(entry), replay } : whereOf(entry);
    if (this.#compaction !== undefined && !(type === "user" && userKindOf(value) === "summary"))
      this.#writeCompaction();
    this.#learn(value);
    switch (type) {
      case "user":
        this.#user(value, where);
        break;
      case "assistant":
        this.#assistant(value, where);
        break;
      case "system":
        this.#system(value, where);
        break;
      case "tool_use":
        this.#isBegun = true;
        this.#draft.call(
          { callId: text(field(value, "id")), toolName: toolNameOf(value), input: field(value, "input") },
          where,
        );
        break;
      case "tool_result": {
        const output = outputOf(this.#draft, field(value, "output") ?? field(value, "content"));
        this.#draft.result(
          { callId: text(field(value, "tool_use_id")), toolName: text(field(value, "name")), output },
          where,
        );
        break;
      }
      case undefined:
        this.#out.warn({
          code: "not-an-entry",
          message: `The value in line ${entry.origin.line} is no entry of a log and was kept as it is.`,
          origin: entry.origin,
          kept: true,
        });
        this.#draft.note("value", value, where);
        break;
      default:
        this.#title(type, value);
        this.#draft.note(type, value, where);
    }
  }

  end(): void {
    if (this.#compaction !== undefined) this.#writeCompaction();
  }

  #learn(value: unknown): void {
    const version = filledText(field(value, "version"));
    if (version !== undefined) this.#out.version(version);
    // Where it began: the agent may change its directory, and what is said of it later is not where paths begin.
    this.#cwd ??= filledText(field(value, "cwd"));
    this.#draft.about({ cwd: this.#cwd, agentVersion: version });
  }

  #user(value: unknown, where: Where): void {
    const kind = userKindOf(value);
    switch (kind) {
      case "prompt":
        this.#prompt(value, where);
        break;
      case "results":
        this.#results(value, where);
        break;
      case "interrupt":
        this.#draft.endTurn({ kind: "cancelled" }, where);
        this.#draft.note("interrupt", value, where);
        break;
      case "summary":
        this.#compaction ??= { value: undefined, where };
        this.#writeCompaction(textOf(value));
        break;
      case "clear":
        if (this.#isBegun && where.replay !== false) {
          this.#draft = this.#cleared();
          this.#isBegun = false;
          this.#isNamed = false;
          this.#learn(value);
        }
        this.#draft.note("clear", value, where);
        break;
      case "unreadable":
        this.#out.warn({
          code: "bad-field",
          message: "A message has no content that can be read; it was kept as it is.",
          origin: where.origin,
          pointer: "/message/content",
          kept: true,
        });
        this.#draft.note("user", value, where);
        break;
      default:
        this.#draft.note(kind, value, where);
    }
  }

  #prompt(value: unknown, where: Where): void {
    if (where.replay !== false) {
      const command = this.#isBegun || this.#isNamed ? undefined : typedCommand(textOf(value));
      if (command !== undefined) this.#draft.about({ title: command });
      this.#isBegun = true;
    }
    const blocks = blocksOf(value) ?? [];
    const images = blocks.filter((block) => !isBlock(block, "text"));
    const parts = images.map((block) => partOf(this.#draft, block)).filter((part) => isRecord(part));
    this.#draft.user(textOf(value), parts.length === 0 ? where : { ...where, parts });
  }

  #results(value: unknown, where: Where): void {
    const noted = field(value, "toolUseResult") ?? field(value, "tool_use_result");
    const blocks = blocksOf(value) ?? [];
    const count = blocks.filter((block) => isBlock(block, "tool_result")).length;
    for (const block of blocks) {
      if (isBlock(block, "tool_result")) {
        this.#resultCount++;
        writeToolResult(this.#draft, block, count === 1 ? noted : undefined, { ...where, denied: this.#denied });
      } else if (text(field(block, "text"))?.startsWith("[Request interrupted by user") === true) {
        this.#draft.endTurn({ kind: "cancelled" }, where);
        this.#draft.note("interrupt", block, where);
      } else this.#draft.note("text", block, where);
    }
  }

  #assistant(value: unknown, where: Where): void {
    const message = field(value, "message");
    const blocks = blocksOf(value);
    if (blocks === undefined) {
      this.#out.warn({
        code: "bad-field",
        message: "A response has no content that can be read; it was kept as it is.",
        origin: where.origin,
        pointer: "/message/content",
        kept: true,
      });
      this.#draft.note("assistant", value, where);
      return;
    }
    const modelId = filledText(field(message, "model"));
    const isError = field(value, "isApiErrorMessage") === true;
    if (modelId === "<synthetic>" && !isError) {
      // Words the program put into the model's mouth, such as after an interrupt: no response of any model.
      this.#draft.note("synthetic", value, where);
      return;
    }
    if (where.replay !== false) this.#isBegun = true;
    if (modelId !== undefined && !isError) this.#draft.about({ modelId });
    this.#draft.step({ ...where, id: this.#responseId(value), modelId });
    for (const block of blocks) this.#block(block, where);
    if (where.replay === false) return;
    const reason = FINISH[text(field(message, "stop_reason")) ?? ""];
    if (reason !== undefined) this.#draft.finish(reason);
    this.#draft.usage(usageOf(field(message, "usage")), "per-call");
    if (!isError) return;
    const code = filledText(field(value, "error")) ?? "api-error";
    this.#draft.stepFailed(code, textOf(value), where);
  }

  /** A request's id stands for the response's where that has none, but only as far as no result came in between. */
  #responseId(value: unknown): string | undefined {
    const id = messageIdOf(value);
    return filledText(fieldAt(value, "message", "id")) === undefined ? `${id} ${this.#resultCount}` : id;
  }

  #block(block: unknown, where: Where): void {
    const type = text(field(block, "type"));
    switch (type) {
      case "text":
        this.#draft.message(text(field(block, "text")) ?? "", where);
        break;
      case "thinking":
      case "redacted_thinking": {
        const signature = text(field(block, "signature"));
        const redactedData = text(field(block, "data"));
        const kept =
          signature !== undefined ? { signature } : redactedData !== undefined ? { redactedData } : undefined;
        const providerMetadata = kept === undefined ? undefined : { anthropic: kept };
        this.#draft.reasoning(text(field(block, "thinking")) ?? "", { ...where, providerMetadata });
        break;
      }
      case "tool_use":
      case "server_tool_use":
      case "mcp_tool_use":
        this.#draft.call(
          { callId: text(field(block, "id")), toolName: toolNameOf(block), input: field(block, "input") },
          where,
        );
        break;
      default:
        if (type?.endsWith("_tool_result") === true) {
          const output = outputOf(this.#draft, field(block, "content"));
          const status = field(block, "is_error") === true ? "failed" : "completed";
          this.#draft.result({ callId: text(field(block, "tool_use_id")), output, status }, where);
        } else this.#draft.note(type ?? "block", block, where);
    }
  }

  #system(value: unknown, where: Where): void {
    const subtype = text(field(value, "subtype")) ?? "system";
    if (subtype === "compact_boundary") this.#compaction = { value, where };
    else this.#draft.note(subtype, value, where);
  }

  #writeCompaction(summary?: string): void {
    const pending = this.#compaction;
    this.#compaction = undefined;
    if (pending === undefined) return;
    const metadata = field(pending.value, "compactMetadata") ?? field(pending.value, "compact_metadata");
    const tokensBefore = number(field(metadata, "preTokens")) ?? number(field(metadata, "pre_tokens"));
    const tokensAfter = number(field(metadata, "postTokens")) ?? number(field(metadata, "post_tokens"));
    this.#draft.compaction({ summary, tokensBefore, tokensAfter }, pending.where);
  }

  /** Titles of the conversation itself; a summary may be of another one. */
  #title(type: string, value: unknown): void {
    const title = text(field(value, "customTitle")) ?? text(field(value, "aiTitle"));
    if (title !== undefined && type.endsWith("title")) {
      this.#draft.about({ title });
      this.#isNamed = true;
    }
    const leaf = text(field(value, "leafUuid"));
    const summary = text(field(value, "summary"));
    if (type === "summary" && leaf !== undefined && summary !== undefined) this.#titles.set(leaf, summary);
  }

  /** Summaries by the entry they were made at. */
  get titles(): ReadonlyMap<string, string> {
    return this.#titles;
  }
}

const FINISH: Readonly<Record<string, FinishReason | undefined>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "tool-calls",
  refusal: "content-filter",
  pause_turn: "other",
};

function toolNameOf(block: unknown): string {
  return filledText(field(block, "name")) ?? "unknown";
}

/** All text a message holds. */
export function textOf(value: unknown): string {
  const texts = (blocksOf(value) ?? []).flatMap((block) => filledText(field(block, "text")) ?? []);
  return texts.join("\n");
}

/** Figures as they are reported: tokens read from and written to the cache are no part of `input_tokens`. */
export function usageOf(usage: unknown): Usage {
  return Object.fromEntries(
    Object.entries({
      inputTokens: number(field(usage, "input_tokens")),
      outputTokens: number(field(usage, "output_tokens")),
      cacheReadTokens: number(field(usage, "cache_read_input_tokens")),
      cacheWriteTokens: number(field(usage, "cache_creation_input_tokens")),
    }).filter(([, figure]) => figure !== undefined),
  ) as Usage;
}
