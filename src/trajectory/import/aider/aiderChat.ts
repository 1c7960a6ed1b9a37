import type { EventOrigin, Usage } from "../../../session";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { present } from "../present";
import { AiderEdits } from "./aiderEdits";

type Speaker = "user" | "tool" | "model";

const STARTED = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\s*$/;

export function isAiderChat(head: string): boolean {
  return /^# aider chat started at \d{4}-/m.test(head);
}

/**
 * A chat kept as Markdown: `# aider chat started at` begins one, `#### ` is a person's line, `> ` the program's; all else
 * is the model's. Lines of one kind are one message.
 */
export class AiderChat {
  readonly #path: string;
  readonly #out: ImportBuilder;
  readonly #origin: Pick<EventOrigin, "file">;
  readonly #edits = new AiderEdits();
  #draft: SessionDraft | undefined;
  #count = 0;
  #speaker: Speaker | undefined;
  #lines: string[] = [];
  #place: EventOrigin | undefined;

  constructor(path: string, origin: Pick<EventOrigin, "file">, out: ImportBuilder) {
    this.#path = path;
    this.#origin = origin;
    this.#out = out;
  }

  line(text: string, place: { readonly line: number; readonly byte: number; readonly length: number }): void {
    const [, startedAt] = STARTED.exec(text) ?? [];
    if (startedAt !== undefined) return this.#start(startedAt, place);
    const speaker: Speaker = /^#### ?/.test(text) ? "user" : /^>( |$)/.test(text) ? "tool" : "model";
    const isBlank = text.trim() === "";
    // An empty line ends what a person or the program said; within a model's text it is a part of it.
    if (isBlank && this.#speaker !== "model") return this.#flush();
    if (speaker !== this.#speaker) this.#flush();
    this.#speaker = speaker;
    const { line, byte, length } = this.#place ?? { ...place, length: 0 };
    this.#place = {
      ...this.#origin,
      line: line ?? place.line,
      byte,
      length: place.byte + place.length - byte || length,
    };
    this.#lines.push(speaker === "user" ? text.replace(/^#### ?/, "") : speaker === "tool" ? text.slice(2) : text);
  }

  end(): void {
    this.#flush();
  }

  #start(startedAt: string, place: { readonly line: number; readonly byte: number; readonly length: number }): void {
    this.#flush();
    this.#draft = this.#open(startedAt);
    this.#draft.note("chat-started", startedAt, { origin: { ...this.#origin, ...place }, at: startedAt, naive: true });
  }

  #open(title: string | undefined): SessionDraft {
    const key = `${this.#path}#${this.#count++}`;
    return this.#out.session(key, {
      agentName: "aider",
      ...(title === undefined ? {} : { title: `Chat of ${title}` }),
    });
  }

  #flush(): void {
    const speaker = this.#speaker;
    if (speaker === undefined) return;
    // Two spaces at the end of a line are Markdown for its break.
    const lines = this.#lines.map((line) => (speaker === "model" ? line : line.replace(/ {2}$/, "")));
    const message = lines.join("\n").trim();
    const where = this.#place === undefined ? {} : { origin: this.#place };
    this.#speaker = undefined;
    this.#lines = [];
    this.#place = undefined;
    if (message === "") return;
    const draft = (this.#draft ??= this.#open(undefined));
    if (speaker === "user") draft.user(message, where);
    else if (speaker === "model") {
      draft.step(where);
      draft.message(message, where);
      this.#edits.asked(message, draft, where);
    } else {
      this.#announced(message, draft);
      this.#edits.told(message, draft, where);
      draft.note("aider", message, where);
    }
  }

  /** What the program says of itself and of what a message cost. */
  #announced(message: string, draft: SessionDraft): void {
    const [, version] = /^Aider v(\S+)/m.exec(message) ?? [];
    if (version !== undefined) {
      this.#out.version(version);
      draft.about({ agentVersion: version });
    }
    const [, modelId] = /^(?:Models?|Main model): (\S+)(?: with|$|,)/m.exec(message) ?? [];
    if (modelId !== undefined) draft.about({ modelId });
    for (const [report] of message.matchAll(/^Tokens: .*$/gm)) draft.usage(usageOf(report), "per-call");
  }
}

/** `Tokens: 1.2k sent, 3k cache hit, 345 received. Cost: $0.01 message, $0.02 session.` */
function usageOf(report: string): Usage {
  const count = (pattern: RegExp): number | undefined => {
    const [, digits, unit] = pattern.exec(report) ?? [];
    if (digits === undefined) return undefined;
    return Math.round(Number(digits.replaceAll(",", "")) * (unit === "k" ? 1_000 : unit === "M" ? 1_000_000 : 1));
  };
  const [, cost] = /Cost: \$([\d.]+) (?:message|request)/.exec(report) ?? [];
  return present({
    inputTokens: count(/([\d.,]+)([kM]?) sent/),
    outputTokens: count(/([\d.,]+)([kM]?) received/),
    cacheReadTokens: count(/([\d.,]+)([kM]?) (?:cache hit|cached)/),
    cacheWriteTokens: count(/([\d.,]+)([kM]?) cache write/),
    costUsd: cost === undefined ? undefined : Number(cost),
  });
}
